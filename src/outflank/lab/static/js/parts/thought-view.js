/** What a player thinks: its move, value, expected line, and its choices as small bars. */

import { h } from "../dom.js";
import { brief, duration, percent, short, worth } from "../format.js";

/** @import { Thought } from "../types.js" */

const MOST = 8; // moves with a bar

/**
 * @param {Thought | null} thought
 * @returns {(HTMLElement | string)[]}
 */
export function thoughtView(thought) {
  if (!thought) return [h("p", { class: "muted" }, "It has not moved yet.")];
  const facts = [
    thought.value !== null
      ? valueWords(thought, thought.value)
      : null,
    thought.depth ? `depth ${thought.depth}` : null,
    thought.nodes !== null && thought.nodes > 1 ? `${short(thought.nodes)} positions` : null,
    thought.seconds >= 0.05 ? duration(thought.seconds) : null,
  ].filter(Boolean);
  return [
    h("p", { class: "thought-head" }, h("b", {}, thought.move), " ", h("span", { class: "muted" }, facts.join(" · "))),
    thought.line.length ? h("p", { class: "line", "aria-label": "Expected moves" }, thought.line.join(" ")) : "",
    bars(thought),
  ];
}

/** "+4 discs", "expects +0.35", "scores it +120". @param {Thought} thought @param {number} value */
function valueWords({ unit, exact }, value) {
  const number = worth(value, unit, exact);
  if (exact) return `${number} discs, exactly`;
  return unit === "discs" ? `${number} discs` : unit === "result" ? `expected result ${number}` : `scores it ${number}`;
}

/** @param {Thought} thought */
function bars(thought) {
  return thought.visits ? visitBars(thought, thought.visits) : valueBars(thought);
}

/**
 * A tree search's moves: their share of the visits as bars, and what they are worth.
 *
 * @param {Thought} thought
 * @param {Object<string, number>} visits
 */
function visitBars(thought, visits) {
  const entries = Object.entries(visits).sort((a, b) => b[1] - a[1]);
  const all = entries.reduce((sum, [, number]) => sum + number, 0);
  return list(
    thought,
    entries.map(([move, number]) => {
      const value = thought.values[move];
      const words = `${brief(number)} ${number === 1 ? "visit" : "visits"}`;
      return { move, length: number / all, text: value === undefined ? words : `${words}, ${worth(value, thought.unit, thought.exact)}` };
    }),
    "bars has-visits",
  );
}

/** @param {Thought} thought */
function valueBars(thought) {
  const entries = Object.entries(thought.values).sort((a, b) => b[1] - a[1]);
  if (!entries.length) return "";
  const numbers = entries.map(([, number]) => number);
  const [most, least] = [Math.max(...numbers), Math.min(...numbers)];
  const shares = thought.kind === "probabilities";
  const length = (/** @type {number} */ number) => (shares ? number : most > least ? 0.08 + 0.92 * ((number - least) / (most - least)) : 1);
  const text = (/** @type {number} */ number) => (shares ? percent(number, number < 0.1 ? 1 : 0) : worth(number, thought.unit, thought.exact));
  return list(
    thought,
    entries.map(([move, number]) => ({ move, length: length(number), text: text(number) })),
  );
}

/**
 * @param {Thought} thought
 * @param {{move: string, length: number, text: string}[]} moves the best first; length: of the bar, 0..1
 * @param {string} [name] of the list's class
 */
function list(thought, moves, name = "bars") {
  return h(
    "ul",
    { class: name },
    moves.slice(0, MOST).map(({ move, length, text }) => {
      const bar = h("span", { class: "bar" });
      bar.style.width = `${100 * length}%`;
      return h(
        "li",
        { class: move === thought.move ? "is-chosen" : "" },
        h("span", { class: "bar-move" }, move),
        h("span", { class: "bar-track", "aria-hidden": "true" }, bar),
        h("span", { class: "bar-number" }, text),
      );
    }),
  );
}
