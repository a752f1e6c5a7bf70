/** What is written on the squares of the board: values, visits, probabilities, the better move. */

import { brief, percent, worth } from "./format.js";

/** @import { Mark } from "./cell.js" */
/** @import { Hints, Thought } from "./types.js" */

/**
 * Hints with values of the moves.
 *
 * @param {Hints | null} hints
 * @returns {Object<string, Mark>} by square
 */
export function valueMarks(hints) {
  if (!hints) return {};
  const best = Math.max(...Object.values(hints.values));
  return mapped(hints.values, (value) => ({
    text: (hints.exact ? "=" : "") + worth(value, hints.unit, hints.exact),
    best: value === best,
  }));
}

/**
 * A heat map of what a player would choose.
 *
 * @param {Thought | null} thought
 * @returns {Object<string, Mark>} by square
 */
export function heatMarks(thought) {
  if (!thought) return {};
  if (thought.visits) return visitMarks(thought);
  const numbers = Object.values(thought.values);
  if (numbers.length === 0) return thought.move !== "pass" ? { [thought.move]: { heat: 1 } } : {};
  const most = Math.max(...numbers);
  if (thought.kind === "probabilities") {
    return mapped(thought.values, (share) => ({
      heat: most > 0 ? share / most : 0,
      note: percent(share),
    }));
  }
  const least = Math.min(...numbers);
  return mapped(thought.values, (value) => ({
    heat: most > least ? (value - least) / (most - least) : 1,
    note: worth(value, thought.unit, thought.exact),
  }));
}

/**
 * How often a tree search tried each move, and what it found them worth.
 *
 * @param {Thought | null} thought
 * @returns {Object<string, Mark>} by square; empty for players that do not count visits
 */
export function visitMarks(thought) {
  const visits = thought?.visits ?? {};
  const most = Math.max(1, ...Object.values(visits));
  return Object.fromEntries(
    Object.entries(visits)
      .filter(([move]) => move !== "pass")
      .map(([move, number]) => [
        move,
        { heat: number / most, text: valueOf(thought, move), note: `${brief(number)}\u00d7`, best: move === thought?.move },
      ]),
  );
}

/** @param {Thought | null} thought @param {string} move */
function valueOf(thought, move) {
  const value = thought?.values[move];
  return thought && value !== undefined ? worth(value, thought.unit, thought.exact) : "";
}

/**
 * Several sets of marks on one board; of the same kind, the later counts.
 *
 * @param {...Object<string, Mark>} sets
 * @returns {Object<string, Mark>}
 */
export function together(...sets) {
  /** @type {Object<string, Mark>} */
  const all = {};
  for (const marks of sets) {
    for (const [square, mark] of Object.entries(marks)) all[square] = { ...all[square], ...mark };
  }
  return all;
}

/**
 * @param {Object<string, number>} object
 * @param {(value: number) => Mark} change
 * @returns {Object<string, Mark>}
 */
function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
