/** Who stood better after each move of a game, as black sees it; a click goes to that moment. */

import { h, svg } from "../dom.js";
import { signed, worth } from "../format.js";
import { numberOf } from "../numbering.js";
import { linear, pathOf, ticks } from "../scale.js";

/** @import { ReviewedMove } from "../types.js" */

const HEIGHT = 150;
const EDGE = { top: 14, right: 10, bottom: 22, left: 48 };
const ROOM = { x: 18, y: 14 }; // that a symbol takes
/** @type {Object<string, number>} that the scale of a unit spans on both sides of zero, at least */
const LEAST = { discs: 8, result: 1 };

/**
 * A move with its judgement; what is drawn has a value, too.
 *
 * @typedef {ReviewedMove & {tone: string, symbol: string}} Judged
 * @typedef {Judged & {value: number}} Valued
 * @typedef {[number, number][]} Points
 */

export class ValueGraph {
  #width = 0;
  /** @type {Judged[]} */
  #moves = [];
  /** @type {number[]} of the moves, by ply */
  #numbers = [0];
  #ply = 0;

  /** @param {(ply: number) => void} onLook */
  constructor(onLook) {
    this.onLook = onLook;
    this.right = 0; // where the axis ends
    this.x = linear([0, 1], [0, 1]);
    this.drawing = svg("svg", {
      class: "value-graph", height: HEIGHT, role: "slider", tabindex: 0,
      "aria-label": "Value over the game, black's view", "data-test": "review-graph",
    });
    this.element = h("div", { class: "chart-area" }, this.drawing);
    this.drawing.addEventListener("click", (event) => this.#clicked(event));
    this.drawing.addEventListener("keydown", (event) => this.#pressed(event));
    this.observer = new ResizeObserver(([entry]) => {
      this.#width = entry.contentRect.width;
      this.#draw();
    });
    this.observer.observe(this.element);
  }

  close() {
    this.observer.disconnect();
  }

  get #last() {
    return this.#numbers.length - 1;
  }

  /**
   * @param {Judged[]} moves
   * @param {import("../types.js").Place[]} plies of the whole game
   * @param {number} ply that is looked at
   */
  show(moves, plies, ply) {
    this.#moves = moves.filter(({ move }) => move !== "pass"); // a pass is no move of its own
    this.#numbers = plies.map(numberOf);
    this.#ply = ply;
    this.#draw();
  }

  #draw() {
    if (this.#width < 2 * EDGE.left + EDGE.right) return; // there is no room for it, or it is hidden
    const known = this.#moves.flatMap(({ value, ...move }) => (value === null ? [] : [{ ...move, value }]));
    const parts = sameUnit(known);
    const [first = "discs", second] = new Set(known.map(({ unit }) => unit)); // the reviewer's, and discs if it is another
    /** @type {Object<string, number>} */
    const spans = { [first]: span(known, first), ...(second ? { [second]: span(known, second) } : {}) };
    this.right = this.#width - (second ? EDGE.left : EDGE.right);
    const { right } = this;
    const bottom = HEIGHT - EDGE.bottom;
    const middle = (bottom + EDGE.top) / 2;
    const [begin, end] = [this.#numbers[0], this.#numbers[this.#last]];
    this.x = linear([begin, Math.max(begin + 1, end)], [EDGE.left, right]);
    const at = (/** @type {number} */ ply) => this.x(this.#numbers[ply]);
    const y = (/** @type {string} */ unit) => linear([-spans[unit], spans[unit]], [bottom, EDGE.top]);
    const lines = parts.map((moves) => {
      /** @type {Points} */
      const points = moves.map(({ ply, value, unit }) => [at(ply), y(unit)(value)]);
      if (moves[0].ply === 1) points.unshift([at(0), middle]); // nobody is ahead at the start
      return points;
    });
    /** @type {(x: number, height: number, words: string | number, anchor: string) => SVGTextElement} */
    const text = (x, height, words, anchor) => svg("text", { x, y: height, "text-anchor": anchor }, words);
    /** @type {(unit: string, x: number, anchor: string) => SVGTextElement[]} */
    const numbers = (unit, x, anchor) => {
      const values = ticks(-spans[unit], spans[unit], 6);
      return values.map((value) => text(x, y(unit)(value) + 4, tickWords(value, values), anchor));
    };
    this.drawing.setAttribute("viewBox", `0 0 ${this.#width} ${HEIGHT}`);
    this.drawing.setAttribute("width", String(this.#width));
    this.drawing.replaceChildren(
      svg("rect", { class: "half-black", x: EDGE.left, y: EDGE.top, width: right - EDGE.left, height: middle - EDGE.top }),
      svg("rect", { class: "half-white", x: EDGE.left, y: middle, width: right - EDGE.left, height: bottom - middle }),
      ...ticks(-spans[first], spans[first], 6).map((value) =>
        svg("g", { class: "tick" }, svg("line", { x1: EDGE.left, x2: right, y1: y(first)(value), y2: y(first)(value) }))),
      ...numbers(first, EDGE.left - 6, "end"),
      ...(second ? numbers(second, right + 6, "start") : []),
      ...ticks(begin, Math.max(begin + 1, end), this.#width / 60).map((value) =>
        svg("g", { class: "tick" }, text(this.x(value), HEIGHT - 6, value, "middle"))),
      ...lines.flatMap((points) => [
        svg("path", { class: "value-area", d: `${pathOf(points)}L${points[points.length - 1][0]} ${middle}L${points[0][0]} ${middle}Z` }),
        svg("path", { class: "value-line", d: pathOf(points) }),
      ]),
      ...parts.slice(1).map(([{ ply }]) =>
        svg("line", { class: "value-change", x1: this.x(this.#numbers[ply] - 0.5), x2: this.x(this.#numbers[ply] - 0.5), y1: EDGE.top, y2: bottom })),
      text(EDGE.left + 6, EDGE.top + 12, "Black is ahead", "start"),
      text(EDGE.left + 6, bottom - 6, "White is ahead", "start"),
      ...this.#blunders(known.filter(({ symbol }) => symbol), y),
      svg("line", { class: "value-now", x1: at(this.#ply), x2: at(this.#ply), y1: EDGE.top, y2: bottom }),
    );
    this.#describe();
  }

  /**
   * Mark the mistakes; the worst ones' symbols are written first, others' where there is room left.
   *
   * @param {Valued[]} moves
   * @param {(unit: string) => (value: number) => number} y
   */
  #blunders(moves, y) {
    /** @type {{x: number, y: number}[]} */
    const written = [];
    return [...moves].sort((one, other) => other.symbol.length - one.symbol.length || (other.loss ?? 0) - (one.loss ?? 0))
      .map(({ ply, symbol, tone, side, unit, value }) => {
        const [x, at] = [this.x(this.#numbers[ply]), y(unit)(value)];
        const above = side === "white" || at + 18 > HEIGHT - EDGE.bottom; // white's mistakes lift the line
        const label = { x, y: at + (above ? -8 : 18) };
        const free = written.every((other) => Math.abs(other.x - x) >= ROOM.x || Math.abs(other.y - label.y) >= ROOM.y);
        if (free) written.push(label);
        return svg("g", { class: `blunder ${tone}` },
          svg("circle", { cx: x, cy: at, r: 4 }),
          ...(free ? [svg("text", { ...label, "text-anchor": "middle" }, symbol)] : []));
      });
  }

  #describe() {
    const here = this.#moves.find(({ ply }) => ply === this.#ply);
    const words = here && here.value !== null ? `: ${worth(here.value, here.unit, here.exact)} for black${here.symbol ? `, ${here.symbol}` : ""}` : "";
    this.drawing.setAttribute("aria-valuemin", String(this.#numbers[0]));
    this.drawing.setAttribute("aria-valuemax", String(this.#numbers[this.#last]));
    this.drawing.setAttribute("aria-valuenow", String(this.#numbers[this.#ply]));
    this.drawing.setAttribute("aria-valuetext", `Move ${this.#numbers[this.#ply]}${words}`);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const box = this.drawing.getBoundingClientRect();
    const share = (event.clientX - box.left - EDGE.left) / (this.right - EDGE.left);
    const [begin, end] = [this.#numbers[0], this.#numbers[this.#last]];
    const number = Math.max(begin, Math.min(end, Math.round(begin + share * (end - begin))));
    this.onLook(this.#numbers.indexOf(number)); // of a move and the pass after it, the move
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    /** @type {Object<string, number>} */
    const targets = { ArrowLeft: this.#ply - 1, ArrowDown: this.#ply - 1, ArrowRight: this.#ply + 1, ArrowUp: this.#ply + 1,
      Home: 0, End: this.#last };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.onLook(target);
  }
}

/**
 * A number at the axis, with as many decimals as its neighbours need: "+0.5", "−200K".
 *
 * @param {number} value
 * @param {number[]} all
 */
function tickWords(value, all) {
  if (value === 0) return "0";
  return signed(value, Math.max(...all.map((one) => (String(one).split(".")[1] ?? "").length)));
}

/**
 * The moves in parts of one unit each; a line through values of two units would tell nothing.
 *
 * @param {Valued[]} moves
 */
function sameUnit(moves) {
  /** @type {Valued[][]} */
  const parts = [];
  for (const move of moves) {
    const last = parts.at(-1);
    if (last && last[0].unit === move.unit) last.push(move);
    else parts.push([move]);
  }
  return parts;
}

/**
 * How far the scale of a unit goes on both sides of zero.
 *
 * @param {Valued[]} moves
 * @param {string} unit
 */
function span(moves, unit) {
  const values = moves.filter((move) => move.unit === unit).map(({ value }) => Math.abs(value));
  return Math.max(LEAST[unit] ?? 0, ...values) * 1.08 || 1;
}
