/** The game in words: what just happened, and what is to be done. */

import { capital, other } from "../squares.js";

/** @import { Side, Table } from "../types.js" */

/**
 * What happened between two states of a table: "White plays d6. Your turn."
 *
 * @param {Table} before
 * @param {Table} after
 * @returns {string} empty if nothing is worth a word
 */
export function narrate(before, after) {
  if (before.id !== after.id) return "";
  const known = before.moves.length;
  const grew = after.moves.length > known && before.moves.every((move, index) => after.moves[index] === move);
  if (grew) {
    const news = after.moves.slice(known).map((move, index) => {
      const { turn } = after.plies[known + index];
      return move === "pass" ? passing(after, turn) : `${actor(after, turn)} ${move}.`;
    });
    return `${news.join(" ")} ${status(after)}`.trim();
  }
  if (after.moves.length < known) return `Back at move ${after.moves.length}. ${status(after)}`;
  if (after.result && !before.result) return after.result.text;
  return "";
}

/**
 * What is to be done now: "Your turn: you play black."
 *
 * @param {Table} table
 */
export function status(table) {
  const place = table.plies[table.plies.length - 1];
  if (table.result) return table.result.text;
  if (place.over) return "The game is over.";
  const { turn } = place;
  const must = place.legal[0] === "pass";
  const seat = table[turn];
  if (!seat.human) {
    if (table.paused) return `Paused. ${capital(turn)} to move.`;
    return `${capital(turn)} is to move: ${seat.name}.`;
  }
  if (table[other(turn)].human) return must ? `${capital(turn)} has no legal move and must pass.` : `${capital(turn)} to move.`;
  return must ? "You have no legal move: you must pass." : `Your turn: you play ${turn}.`;
}

/**
 * "White has no move and passes." if somebody passed just now, or else nothing.
 *
 * @param {Table} before
 * @param {Table} after
 */
export function passWords(before, after) {
  if (before.id !== after.id) return "";
  const index = after.moves.indexOf("pass", before.moves.length);
  return index < 0 ? "" : passing(after, after.plies[index].turn);
}

/** @param {Table} table @param {Side} side */
function isYou(table, side) {
  return table[side].human && !table[other(side)].human;
}

/** @param {Table} table @param {Side} side */
function actor(table, side) {
  return isYou(table, side) ? "You play" : `${capital(side)} plays`;
}

/** @param {Table} table @param {Side} side */
function passing(table, side) {
  return isYou(table, side) ? "You have no move and pass." : `${capital(side)} has no move and passes.`;
}
