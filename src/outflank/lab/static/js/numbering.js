/** Moves are numbered as Othello players do: by the discs on the board, 1 to 60; a pass has no number. */

import { capital } from "./squares.js";

/** @import { Place, Table } from "./types.js" */

/** The number of the move that led to a position; 0 at the usual start. @param {Place} place */
export function numberOf(place) {
  return 60 - place.empties;
}

/**
 * A moment of a game in words: "move 12 of 57", "White's pass after move 40 of 57", "the start".
 *
 * @param {Table} table
 * @param {number} ply
 */
export function momentWords({ moves, plies }, ply) {
  if (ply === 0) return "the start";
  const of = ` of ${numberOf(plies[plies.length - 1])}`;
  if (moves[ply - 1] === "pass") return `${capital(plies[ply - 1].turn)}'s pass after move ${numberOf(plies[ply])}${of}`;
  return `move ${numberOf(plies[ply])}${of}`;
}
