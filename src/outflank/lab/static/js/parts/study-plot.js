/** The figures of studies, drawn from their data in the colours of the page. */

import { LineChart } from "../chart.js";
import { h, svg } from "../dom.js";
import { percent } from "../format.js";

/** @import { Points } from "../chart.js" */
/** @import { Plot } from "../types.js" */

const CELL = { width: 6, height: 9 }; // of a heat map
const HEAT = { left: 24, bottom: 30, moves: 60 };

export class StudyPlot {
  /** @type {LineChart[]} */
  #charts = [];

  /**
   * @param {Plot} plot
   * @param {(name: string) => string} nameOf of a variant, for readers
   */
  constructor({ kind, data }, nameOf) {
    this.nameOf = nameOf;
    /** @type {Object<string, (data: any) => (HTMLElement | SVGElement)[]>} */
    const kinds = {
      evolution: (all) => this.#evolution(all), gains: (all) => this.#gains(all), scatter: (all) => this.#scatter(all),
      courses: (all) => this.#courses(all), "heat-maps": heatMaps,
    };
    this.element = h("div", { class: "charts", "data-test": "figure" }, kinds[kind]?.(data) ?? []);
  }

  close() {
    for (const chart of this.#charts) chart.close();
  }

  /**
   * @param {ConstructorParameters<typeof LineChart>[0]} options
   * @param {import("../chart.js").Series[]} series
   */
  #chart(options, series) {
    const chart = new LineChart(options);
    this.#charts.push(chart);
    chart.show(series);
    return chart.element;
  }

  /** One chart for each series, one line with its band for each variant. @param {any} data */
  #evolution({ labels, curves }) {
    const variants = Object.entries(curves);
    return Object.entries(labels).map(([name, title]) =>
      this.#chart({ title: sentence(title), unit: "%", xLabel: "generation", range: [0, 100] }, variants.map(([variant, all]) => {
        const { generation, mean, low, high } = all[name];
        return {
          label: this.nameOf(variant),
          points: pairs(generation, mean),
          band: generation.map((/** @type {number} */ x, /** @type {number} */ index) => [x, low[index], high[index]]),
        };
      })));
  }

  /** One chart for each network, one line for each stage. @param {any} data */
  #gains({ x, panels }) {
    return Object.entries(panels).map(([title, stages]) =>
      this.#chart({ title, unit: "gain of winning rate, points", xLabel: "opponent's depth" },
        Object.entries(stages).map(([stage, values]) => ({ label: `moves ${stage}`, points: pairs(x, values) }))));
  }

  /** Dots, and the line that fits them. @param {any} data */
  #scatter({ series }) {
    const shown = Object.entries(series).flatMap(([name, { points, line }], style) => {
      /** @type {Points} */
      const dots = points.filter((/** @type {(number | null)[]} */ [x, y]) => x !== null && y !== null);
      if (!dots.length) return [];
      const ends = [Math.min(...dots.map(([x]) => x)), Math.max(...dots.map(([x]) => x))];
      const fit = line === null ? [] : [{ label: `${name}, fitted`, style, points: pairs(ends, ends.map((end) => line.slope * end + line.intercept)) }];
      return [{ label: name, points: dots, dots: true, style }, ...fit];
    });
    return [this.#chart({ title: "Winning rate", unit: "%", xLabel: "accuracy, %" }, shown)];
  }

  /** Discs, moves and corners of both sides in each game. @param {any} data */
  #courses({ games }) {
    const panels = { discs: "discs", mobility: "possible moves", corners: "corners" };
    return Object.entries(games).flatMap(([label, game]) =>
      Object.entries(panels).map(([name, title]) =>
        this.#chart({ title: `${label}: ${title}`, xLabel: "move" }, ["black", "white"].map((side, index) => ({
          label: `${game[side]} (${side})`,
          points: game[name].map((/** @type {number[]} */ both, /** @type {number} */ move) => [move, both[index]]),
        })))));
  }
}

/** Accuracy by the number of the move and of legal moves; the stronger a cell, the higher. @param {any} data */
function heatMaps({ maps }) {
  return Object.entries(maps).flatMap(([label, cells]) => [1, 3].map((top) => heatMap(`${label}: top-${top} accuracy`, `top${top}`, cells)));
}

/** @param {string} title @param {string} name @param {any[]} cells */
function heatMap(title, name, cells) {
  const most = Math.max(1, ...cells.map(({ moves }) => moves));
  const [width, height] = [HEAT.left + HEAT.moves * CELL.width, (most + 1) * CELL.height];
  const x = (/** @type {number} */ ply) => HEAT.left + ply * CELL.width;
  const y = (/** @type {number} */ moves) => (most - moves) * CELL.height;
  return h(
    "figure",
    { class: "chart-box" },
    h("figcaption", {}, title),
    svg("svg", { class: "chart heat-map", viewBox: `0 0 ${width} ${height + HEAT.bottom}`, role: "img", "aria-label": `${title}, by move and number of legal moves` },
      svg("rect", { class: "heat-ground", x: HEAT.left, y: 0, width: HEAT.moves * CELL.width, height }),
      cells.map((cell) => {
        const words = `move ${cell.ply + 1}, ${cell.moves} legal: ${percent(cell[name])} of ${cell.examples}`;
        return svg("rect", { class: "heat-cell", x: x(cell.ply), y: y(cell.moves), width: CELL.width, height: CELL.height, "fill-opacity": 0.06 + 0.94 * cell[name] },
          svg("title", {}, words));
      }),
      [10, 20, 30, 40, 50, 60].map((move) => svg("text", { x: x(move - 0.5), y: height + 11, "text-anchor": "middle" }, move)),
      [0, 10, 20].filter((moves) => moves <= most).map((moves) => svg("text", { x: HEAT.left - 4, y: y(moves) + 8, "text-anchor": "end" }, moves)),
      svg("text", { x: width, y: height + 25, "text-anchor": "end" }, "move; upwards: number of legal moves")),
    h("p", { class: "heat-key muted" }, "0%", h("span", { class: "heat-scale", "aria-hidden": "true" }), "100%"),
  );
}

/** @param {any} xs @param {any} ys @returns {Points} */
function pairs(xs, ys) {
  return xs.map((/** @type {number} */ x, /** @type {number} */ index) => [x, ys[index] ?? NaN]);
}

/** @param {unknown} words */
function sentence(words) {
  const text = String(words);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
