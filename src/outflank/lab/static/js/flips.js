/** Which discs a move flips: the one rule of the game that the page must know by itself, to answer at once. */

const LINES = [-1, 0, 1].flatMap((x) => [-1, 0, 1].map((y) => [x, y])).filter(([x, y]) => x || y);

/**
 * @param {string} board 64 characters, X is black
 * @param {number} index of the square that is played
 * @param {import("./types.js").Side} turn
 * @returns {number[]} the squares whose discs would be flipped
 */
export function flips(board, index, turn) {
  if (board[index] !== "-") return [];
  const own = turn === "black" ? "X" : "O";
  return LINES.flatMap(([across, down]) => {
    /** @type {number[]} */
    const passed = [];
    let [x, y] = [(index % 8) + across, Math.floor(index / 8) + down];
    while (x >= 0 && x < 8 && y >= 0 && y < 8) {
      const disc = board[8 * y + x];
      if (disc === own) return passed;
      if (disc === "-") return [];
      passed.push(8 * y + x);
      [x, y] = [x + across, y + down];
    }
    return [];
  });
}
