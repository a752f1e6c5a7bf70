/** The names of squares, sides and moves. */

const COLUMNS = "abcdefgh";

/** @type {import("./types.js").Side[]} */
export const SIDES = ["black", "white"];

/** a1, b1, ... h8: the order of a board's 64 characters. */
export const SQUARES = Array.from({ length: 64 }, (_, index) => nameOf(index));

/** The position every usual game starts from. */
export const STANDARD = `${"-".repeat(27)}OX${"-".repeat(6)}XO${"-".repeat(27)} X`;

/** @param {number} index 0..63, row by row from a1 */
export function nameOf(index) {
  return COLUMNS[index % 8] + (Math.floor(index / 8) + 1);
}

/** @param {string} square */
export function indexOf(square) {
  return COLUMNS.indexOf(square[0]) + (Number(square[1]) - 1) * 8;
}

/** @param {import("./types.js").Side} side @returns {import("./types.js").Side} */
export function other(side) {
  return side === "black" ? "white" : "black";
}

/** "Black" for "black". @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Moves as one word, as records write them: passes are left out, for they are forced. @param {string[]} moves */
export function transcript(moves) {
  return moves.filter((move) => move !== "pass").join("");
}

/** The moves of a text such as "F5 d6, c3", or null if it is something else than a transcript. @param {string} text */
export function readTranscript(text) {
  const bare = text.toLowerCase().replace(/\d+\.(?=\s*[a-h])|[\s,;]+/g, "");
  return /^(?:[a-h][1-8]|pass|pa|ps|--)+$/.test(bare) ? bare.match(/[a-h][1-8]/g) ?? [] : null;
}
