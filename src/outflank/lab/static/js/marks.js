/** What is written on the squares of the board: values, probabilities, the better move. */

import { percent, worth } from "./format.js";

/**
 * Hints with values of the moves.
 *
 * @param {{values: Object<string, number>, unit: string, exact: boolean} | null} hints
 * @returns {Object<string, import("./cell.js").Mark>} by square
 */
export function valueMarks(hints) {
  if (!hints) return {};
  const best = Math.max(...Object.values(hints.values));
  return mapped(hints.values, (value) => ({
    text: (hints.exact ? "=" : "") + worth(value, hints.unit, hints.exact),
    best: value === best,
  }));
}

/** A heat map of what a player would choose. @param {import("./types.js").Thought | null} thought */
export function heatMarks(thought) {
  const numbers = Object.values(thought?.values ?? {});
  if (numbers.length === 0) return thought?.move && thought.move !== "pass" ? { [thought.move]: { heat: 1 } } : {};
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

/** Several sets of marks on one board; of the same kind, the later counts. */
export function together(...sets) {
  const all = {};
  for (const marks of sets) {
    for (const [square, mark] of Object.entries(marks)) all[square] = { ...all[square], ...mark };
  }
  return all;
}

function mapped(object, change) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}
