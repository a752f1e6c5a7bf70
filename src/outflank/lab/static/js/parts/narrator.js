/** The game in words: what just happened, what is to be done, and how it ended. */

import { numberOf } from "../numbering.js";
import { capital, other } from "../squares.js";

/** @import { GameResult, Side, Table } from "../types.js" */

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
  if (after.moves.length < known) return `Back at move ${numberOf(after.plies[after.plies.length - 1])}. ${status(after)}`;
  if (after.result && !before.result) return ending(after, after.result);
  return "";
}

/**
 * What is to be done now: "Your turn: you play black."
 *
 * @param {Table} table
 */
export function status(table) {
  const place = table.plies[table.plies.length - 1];
  if (table.result) return ending(table, table.result);
  if (place.over) return "The game is over.";
  const { turn } = place;
  const must = place.legal[0] === "pass";
  const seat = table[turn];
  if (!seat.human) {
    if (table.paused) return `Paused. ${capital(turn)} to move.`;
    return `${capital(turn)} to move: ${seat.name}.`;
  }
  if (table[other(turn)].human) return must ? `${capital(turn)} has no legal move and must pass.` : `${capital(turn)} to move.`;
  return must ? "You have no legal move: you must pass." : `Your turn: you play ${turn}.`;
}

/**
 * How a game ended: "You won 33–31.", "You resigned. patterns won."
 *
 * @param {Table} table
 * @param {GameResult} result
 */
export function ending(table, { winner, score, reason, text }) {
  if (reason === "record") return text;
  if (!winner) return `A draw, ${discs(0, "black")}.`;
  const loser = other(winner);
  const won = `${isYou(table, winner) ? "You" : nameOf(table, winner)} won`;
  if (reason === "board") {
    return isYou(table, loser) ? `You lost ${discs(score, loser)}.` : `${won} ${discs(score, winner)}.`;
  }
  if (reason === "resigned") return `${isYou(table, loser) ? "You" : nameOf(table, loser)} resigned. ${won}.`;
  if (reason === "time") return `${isYou(table, loser) ? "Your" : `${nameOf(table, loser)}'s`} time ran out. ${won}.`;
  return `${won}. ${text}`;
}

/** Both sides' discs, empty squares being the winner's: "33–31". @param {number} score black's @param {Side} first */
function discs(score, first) {
  const black = 32 + score / 2;
  return first === "black" ? `${black}–${64 - black}` : `${64 - black}–${black}`;
}

/**
 * "White has no move and passes." if somebody passed just now, or else nothing.
 *
 * @param {Table} before
 * @param {Table} after
 */
export function passWords(before, after) {
  if (before.id !== after.id || after.result) return "";
  const index = after.moves.indexOf("pass", before.moves.length);
  return index < 0 ? "" : passing(after, after.plies[index].turn);
}

/** Whether the one person of a game plays a side. @param {Table} table @param {Side} side */
export function isYou(table, side) {
  return table[side].human && !table[other(side)].human;
}

/** The player's name, or where both are people the record's or else the side's. @param {Table} table @param {Side} side */
export function nameOf(table, side) {
  const { name, human } = table[side];
  return human && (!name || name === "You") ? capital(side) : name;
}

/** @param {Table} table @param {Side} side */
function actor(table, side) {
  return isYou(table, side) ? "You play" : `${capital(side)} plays`;
}

/** @param {Table} table @param {Side} side */
function passing(table, side) {
  return isYou(table, side) ? "You have no move and pass." : `${capital(side)} has no move and passes.`;
}
