/** A line chart with axes, a legend and the values under the pointer. */

import { h, svg } from "./dom.js";
import { extent, linear, pathOf, ticks } from "./scale.js";

const HEIGHT = 240;
const EDGE = { top: 12, right: 24, bottom: 34, left: 54 };
const GAP = 10; // between the pointer's line and its values
const STYLES = 6; // colours and dashes in charts.css

/**
 * @typedef {[number, number][]} Points x and y, in the order of x
 *
 * @typedef {Object} Series
 * @property {string} label
 * @property {Points} points
 * @property {[number, number, number][]} [band] x, and from where to where it lies there
 * @property {boolean} [dots] points without a line between them
 * @property {number} [style] its colour and dashes; as usual those of its place
 */

export class LineChart {
  /** @type {Series[]} */
  #series = [];
  #width = 0;

  /**
   * @param {Object} options
   * @param {string} options.title
   * @param {string} [options.unit]
   * @param {string} [options.help] what it shows
   * @param {string} options.xLabel
   * @param {[number, number]} [options.range] of the values, if it does not depend on them
   */
  constructor({ title, unit = "", help = "", xLabel, range }) {
    this.title = title;
    this.range = range;
    this.xLabel = xLabel;
    this.x = linear([0, 1], [0, 1]);
    this.y = this.x;
    this.drawing = svg("svg", { class: "chart", height: HEIGHT, role: "img" });
    this.tip = h("div", { class: "chart-tip", "aria-hidden": "true", hidden: true });
    this.legend = h("ul", { class: "chart-legend" });
    const area = h("div", { class: "chart-area" }, this.drawing, this.tip);
    this.element = h(
      "figure",
      { class: "chart-box" },
      h("figcaption", {}, title, unit ? h("span", { class: "muted" }, ` ${unit}`) : null, help ? h("small", {}, help) : null),
      area,
      this.legend,
    );
    this.drawing.addEventListener("pointermove", (event) => this.#point(event));
    this.drawing.addEventListener("pointerleave", () => this.#unpoint());
    this.observer = new ResizeObserver(([entry]) => this.#resize(entry.contentRect.width));
    this.observer.observe(area);
  }

  close() {
    this.observer.disconnect();
  }

  /** @param {Series[]} series */
  show(series) {
    this.#series = series;
    this.#draw();
  }

  /** @param {number} width */
  #resize(width) {
    if (Math.abs(width - this.#width) < 1) return;
    this.#width = width;
    this.#draw();
  }

  #draw() {
    if (!this.#width) return;
    const all = this.#series.flatMap(({ points }) => points).filter(([, y]) => Number.isFinite(y));
    const bands = this.#series.flatMap(({ band = [] }) => band.flatMap(([, low, high]) => [low, high]));
    /** @type {[number, number]} */
    const xs = all.length ? extent(all.map(([x]) => x), this.#series.some(({ dots }) => dots) ? 0.03 : 0) : [0, 1];
    const ys = this.range ?? extent([...all.map(([, y]) => y), ...bands]);
    this.x = linear(xs, [EDGE.left, this.#width - EDGE.right]);
    this.y = linear(ys, [HEIGHT - EDGE.bottom, EDGE.top]);
    this.drawing.setAttribute("viewBox", `0 0 ${this.#width} ${HEIGHT}`);
    this.drawing.setAttribute("width", String(this.#width));
    this.drawing.setAttribute("aria-label", this.#words());
    this.rule = svg("line", { class: "chart-rule", y1: EDGE.top, y2: HEIGHT - EDGE.bottom, visibility: "hidden" });
    this.drawing.replaceChildren(
      ...this.#axes(xs, ys),
      ...this.#series.flatMap((series, index) => this.#line(series, series.style ?? index)),
      this.rule,
    );
    this.legend.replaceChildren(...this.#series.map(({ label }, index) => h("li", {}, key(this.#series[index].style ?? index, this.#series[index].dots), label)));
    this.legend.hidden = this.#series.length < 2 && this.#series[0]?.label === this.title;
  }

  /** @param {Series} series @param {number} style */
  #line({ points, band = [], dots = false }, style) {
    const name = `series-${style % STYLES}`;
    /** @type {Points} */
    const places = points.map(([x, y]) => [this.x(x), this.y(y)]);
    const marks = (/** @type {number} */ r) =>
      places.filter(([, y]) => Number.isFinite(y)).map(([cx, cy]) => svg("circle", { class: `point ${name}`, cx, cy, r }));
    if (dots) return marks(4);
    /** @type {Points} */
    const edge = [...band.map(([x, low]) => [x, low]), ...band.toReversed().map(([x, , high]) => [x, high])].map(([x, y]) => [this.x(x), this.y(y)]);
    const area = edge.length ? [svg("path", { class: `band ${name}`, d: `${pathOf(edge)}Z` })] : [];
    const line = svg("path", { class: `series ${name}`, d: pathOf(places) });
    return [...area, line, ...(places.length > 40 ? [] : marks(2.5))];
  }

  /** @param {[number, number]} xs @param {[number, number]} ys */
  #axes(xs, ys) {
    const bottom = HEIGHT - EDGE.bottom;
    const right = this.#width - EDGE.right;
    /** @type {(x: number, y: number, words: string, anchor: string) => SVGTextElement} */
    const text = (x, y, words, anchor) => svg("text", { x, y, "text-anchor": anchor }, words);
    return [
      ...ticks(...ys, 5).map((value) =>
        svg("g", { class: "tick" },
          svg("line", { x1: EDGE.left, x2: right, y1: this.y(value), y2: this.y(value) }),
          text(EDGE.left - 6, this.y(value) + 4, brief(value), "end")),
      ),
      ...ticks(...xs, Math.max(2, this.#width / 90)).map((value) =>
        svg("g", { class: "tick" }, text(this.x(value), bottom + 16, brief(value), "middle")),
      ),
      svg("line", { class: "axis", x1: EDGE.left, x2: right, y1: bottom, y2: bottom }),
      svg("text", { class: "axis-label", x: right, y: HEIGHT - 3, "text-anchor": "end" }, this.xLabel),
    ];
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const box = this.drawing.getBoundingClientRect();
    const at = event.clientX - box.left;
    const nearest = this.#series.flatMap(({ label, points }, index) => {
      const point = closest(points, (x) => Math.abs(this.x(x) - at));
      return point ? [{ label, index, point }] : [];
    });
    const first = closest(nearest.map(({ point }) => point), (value) => Math.abs(this.x(value) - at));
    if (!first) return;
    const [x] = first;
    const place = this.x(x);
    for (const end of ["x1", "x2"]) this.rule?.setAttribute(end, String(place));
    this.rule?.setAttribute("visibility", "visible");
    this.tip.replaceChildren(
      h("b", {}, `${this.xLabel} ${brief(x)}`),
      ...nearest.filter(({ point }) => point[0] === x).map(({ label, index, point }) => h("span", {}, key(this.#series[index].style ?? index, this.#series[index].dots), `${label} ${precise(point[1])}`)),
    );
    this.tip.hidden = false;
    const width = this.tip.offsetWidth;
    const left = place > this.#width / 2 ? place - width - GAP : place + GAP;
    this.tip.style.left = `${Math.max(0, Math.min(left, this.#width - width))}px`;
  }

  #unpoint() {
    this.tip.hidden = true;
    this.rule?.setAttribute("visibility", "hidden");
  }

  /** For screen readers: where each line is now. */
  #words() {
    const latest = this.#series
      .filter(({ points }) => points.length)
      .map(({ label, points }) => {
        const [x, y] = points[points.length - 1];
        return `${label} ${precise(y)} at ${this.xLabel} ${brief(x)}`;
      });
    return `${this.title}. ${latest.join(", ") || "No values yet"}.`;
  }
}

/** @param {number} style @param {boolean} [dots] */
function key(style, dots = false) {
  const name = `series-${style % STYLES}`;
  return svg("svg", { class: "chart-key", width: 22, height: 10, viewBox: "0 0 22 10", "aria-hidden": "true" },
    dots ? svg("circle", { class: `point ${name}`, cx: 11, cy: 5, r: 4 }) : svg("path", { class: `series ${name}`, d: "M1 5 L21 5" }));
}

/**
 * The point whose x is nearest.
 *
 * @param {Points} points
 * @param {(x: number) => number} away
 */
function closest(points, away) {
  /** @type {[number, number] | null} */
  let best = null;
  for (const point of points) {
    if (Number.isFinite(point[1]) && (!best || away(point[0]) < away(best[0]))) best = point;
  }
  return best;
}

/** @param {number} value */
function brief(value) {
  if (Math.abs(value) >= 10000) return new Intl.NumberFormat("en", { notation: "compact" }).format(value);
  return Number(value.toPrecision(6)).toString().replace("-", "\u2212");
}

/** @param {number} value */
function precise(value) {
  return Number(value.toPrecision(4)).toString().replace("-", "\u2212");
}
