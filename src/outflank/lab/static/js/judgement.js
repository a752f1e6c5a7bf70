/** How bad a move was: a symbol and a tone for its loss. */

import { brief, several, signed, unitName } from "./format.js";

/** @import { ReviewedMove, Side } from "./types.js" */

/**
 * From which loss on a move is a mistake ("?") or a blunder ("??"), by unit; own units have no scale.
 *
 * @type {Object<string, [number, number]>}
 */
const LIMITS = { discs: [4, 8], result: [0.2, 0.5] };

/**
 * @param {Pick<ReviewedMove, "loss" | "unit">} move
 * @returns {{symbol: string, tone: string}}
 */
export function judge({ loss, unit }) {
  const limits = LIMITS[unit];
  if (loss === null || !limits) return { symbol: "", tone: "" };
  if (loss >= limits[1]) return { symbol: "??", tone: "blunder-tone" };
  if (loss >= limits[0]) return { symbol: "?", tone: "mistake-tone" };
  return { symbol: "", tone: "" };
}

/**
 * The note beside a move in the list.
 *
 * @returns {import("./parts/history.js").Note | undefined}
 * @param {ReviewedMove} move
 */
export function noteOf(move) {
  const { symbol, tone } = judge(move);
  if (move.loss === null) return undefined;
  const lost = Math.abs(move.loss) < 0.05 ? "" : signed(-move.loss, Number.isInteger(move.loss) ? 0 : 1);
  return { text: lost, symbol, tone, title: lost ? `loses ${lossWords(move.loss, move.unit)}, ${move.best} was best` : "a best move" };
}

/**
 * "4 discs".
 *
 * @param {number} loss
 * @param {ReviewedMove["unit"]} unit
 */
export function lossWords(loss, unit) {
  const number = Number(loss.toFixed(unit === "result" ? 2 : 1));
  return unit === "discs" ? several(number, "disc") : `${brief(number)} ${unitName(unit)}`;
}

/** @typedef {{losses: Partial<Record<ReviewedMove["unit"], number>>, mistakes: number, blunders: number}} Losses */

/**
 * What each side lost in all, by unit: the last moves are solved and in discs, whatever the reviewer's unit is.
 *
 * @param {ReviewedMove[]} moves
 * @returns {Record<Side, Losses>}
 */
export function totals(moves) {
  /** @type {Record<Side, Losses>} */
  const sums = { black: { losses: {}, mistakes: 0, blunders: 0 }, white: { losses: {}, mistakes: 0, blunders: 0 } };
  for (const move of moves) {
    const sum = sums[move.side];
    if (move.loss !== null) sum.losses[move.unit] = (sum.losses[move.unit] ?? 0) + Math.max(0, move.loss);
    const { symbol } = judge(move);
    if (symbol === "??") sum.blunders += 1;
    else if (symbol === "?") sum.mistakes += 1;
  }
  return sums;
}
