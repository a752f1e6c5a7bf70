/** Who stood better after each move of a game, as black sees it; a click goes to that moment. */

import { h, svg } from "../dom.js";
import { signed, worth } from "../format.js";
import { linear, pathOf, ticks } from "../scale.js";

const HEIGHT = 180;
const EDGE = { top: 14, right: 10, bottom: 22, left: 38 };

export class ValueGraph {
  #width = 0;
  #moves = [];
  #length = 0;
  #ply = 0;

  /** @param {(ply: number) => void} onLook */
  constructor(onLook) {
    this.onLook = onLook;
    this.drawing = svg("svg", {
      class: "value-graph", height: HEIGHT, role: "slider", tabindex: 0,
      "aria-label": "Value over the game, black's view", "aria-valuemin": 0, "data-test": "review-graph",
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

  /**
   * @param {(import("../types.js").ReviewedMove & {tone: string, symbol: string})[]} moves
   * @param {number} length moves of the whole game
   * @param {number} ply that is looked at
   */
  show(moves, length, ply) {
    this.#moves = moves;
    this.#length = length;
    this.#ply = ply;
    this.#draw();
  }

  #draw() {
    if (!this.#width) return;
    const known = this.#moves.filter(({ value }) => value !== null);
    const most = Math.max(known[0]?.unit === "result" ? 1 : 8, ...known.map(({ value }) => Math.abs(value))) * 1.08;
    const right = this.#width - EDGE.right;
    const bottom = HEIGHT - EDGE.bottom;
    this.x = linear([0, Math.max(1, this.#length)], [EDGE.left, right]);
    const y = linear([-most, most], [bottom, EDGE.top]);
    const points = [[this.x(0), y(0)], ...known.map(({ ply, value }) => [this.x(ply), y(value)])];
    const line = pathOf(points);
    const area = `${line}L${points.at(-1)[0]} ${y(0)}L${points[0][0]} ${y(0)}Z`;
    const text = (x, at, words, anchor) => svg("text", { x, y: at, "text-anchor": anchor }, words);
    this.drawing.setAttribute("viewBox", `0 0 ${this.#width} ${HEIGHT}`);
    this.drawing.setAttribute("width", this.#width);
    this.drawing.replaceChildren(
      svg("rect", { class: "half-black", x: EDGE.left, y: EDGE.top, width: right - EDGE.left, height: y(0) - EDGE.top }),
      svg("rect", { class: "half-white", x: EDGE.left, y: y(0), width: right - EDGE.left, height: bottom - y(0) }),
      ...ticks(-most, most, 4).map((value) => svg("g", { class: "tick" },
        svg("line", { x1: EDGE.left, x2: right, y1: y(value), y2: y(value) }),
        text(EDGE.left - 6, y(value) + 4, signed(value, Number.isInteger(value) ? 0 : 1), "end"))),
      ...ticks(0, Math.max(1, this.#length), this.#width / 60).map((value) =>
        svg("g", { class: "tick" }, text(this.x(value), HEIGHT - 6, value, "middle"))),
      svg("path", { class: "value-area", d: area }),
      svg("path", { class: "value-line", d: line }),
      text(EDGE.left + 6, EDGE.top + 12, "Black is ahead", "start"),
      text(EDGE.left + 6, bottom - 6, "White is ahead", "start"),
      ...known.filter(({ symbol }) => symbol).map((move) => this.#blunder(move, y(move.value))),
      svg("line", { class: "value-now", x1: this.x(this.#ply), x2: this.x(this.#ply), y1: EDGE.top, y2: bottom }),
    );
    this.#describe();
  }

  #blunder({ ply, symbol, tone, side }, y) {
    const x = this.x(ply);
    const above = side === "white"; // white's mistakes lift the line
    return svg("g", { class: `blunder ${tone}` },
      svg("circle", { cx: x, cy: y, r: 4 }),
      svg("text", { x, y: y + (above ? -8 : 18), "text-anchor": "middle" }, symbol));
  }

  #describe() {
    const here = this.#moves.find(({ ply }) => ply === this.#ply);
    const words = here && here.value !== null ? `: ${worth(here.value, here.unit, here.exact)} for black${here.symbol ? `, ${here.symbol}` : ""}` : "";
    this.drawing.setAttribute("aria-valuemax", this.#length);
    this.drawing.setAttribute("aria-valuenow", this.#ply);
    this.drawing.setAttribute("aria-valuetext", `Move ${this.#ply}${words}`);
  }

  #clicked(event) {
    const box = this.drawing.getBoundingClientRect();
    const share = (event.clientX - box.left - EDGE.left) / (this.#width - EDGE.left - EDGE.right);
    this.onLook(Math.round(share * this.#length));
  }

  #pressed(event) {
    const target = { ArrowLeft: this.#ply - 1, ArrowDown: this.#ply - 1, ArrowRight: this.#ply + 1, ArrowUp: this.#ply + 1,
      Home: 0, End: this.#length }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.onLook(target);
  }
}
