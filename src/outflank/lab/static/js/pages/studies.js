/** Studies: the papers' tables and figures beside ours. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { moment, plain } from "../format.js";
import { icon } from "../icons.js";
import { attempt, complain } from "../notices.js";
import { choice } from "../parts/field.js";
import { reveal } from "../parts/reveal.js";
import { StudyPlot } from "../parts/study-plot.js";
import { tableScroll } from "../parts/table-scroll.js";
import { go, link } from "../router.js";

/** @import { Route } from "../router.js" */
/** @import { Claim, Column, Row, StudyResult, StudyRow } from "../types.js" */

export const title = "Studies";

/** @type {Object<number, string>} the papers by number */
const PAPERS = {
  1: "Learning to Play Othello with Deep Neural Networks",
  2: "Playing Othello by Deep Learning Neural Network",
  3: "Learning to Play Othello: A Self-Play Approach",
  4: "Observing the Evolution of Neural Networks Learning to Play the Game of Othello",
};
const SCALES = ["paper", "laptop", "smoke"]; // the largest that has results is shown first
/** @type {Object<string, string>} */
const SCALE_WORDS = {
  paper: "At the paper's own scale.",
  laptop: "At the scale of a laptop: hours on two cores.",
  smoke: "A trial run of seconds: its figures mean nothing yet.",
};

/** @param {HTMLElement} root */
export function open(root) {
  return new StudiesPage(root);
}

class StudiesPage {
  /** @type {StudyRow[] | undefined} */
  studies;
  /** @type {string | null | undefined} the study that is shown; undefined: none any more */
  name;
  /** @type {StudyPlot | null} */
  plot = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.list = h("div", { "data-test": "studies" });
    this.detail = h("div", { class: "detail" });
    root.append(h("h1", {}, "Studies"), h("nav", { class: "side card", "aria-label": "Studies" }, this.list), this.detail);
  }

  /** @param {Route} route */
  async show({ name, query }) {
    this.name = name;
    this.studies ??= await attempt(() => api.studies());
    if (!this.studies || this.name !== name) return;
    this.#drawList(this.studies);
    const study = this.studies.find((one) => one.name === name);
    if (!study) {
      if (name) complain(`There is no study named ${name}.`);
      this.detail.replaceChildren(h("p", { class: "hint" }, icon("studies"), this.studies.length ? "Choose a table or figure: ours stands beside the paper's." : "There are no studies yet."));
      return;
    }
    const scale = query.get("scale") ?? SCALES.find((one) => study.results.includes(one)) ?? study.results[0];
    if (!scale) {
      this.detail.replaceChildren(h("section", { class: "card" }, h("h2", {}, study.title),
        h("p", {}, "This study has no results yet. To make them:"), h("pre", {}, `outflank study run ${study.name} --scale laptop`)));
      return;
    }
    const result = await attempt(() => api.study(study.name, scale));
    if (!result || this.name !== name) return;
    this.plot?.close();
    this.plot = result.plot ? new StudyPlot(result.plot, variantName) : null;
    this.detail.replaceChildren(resultCard(study, result, this.plot));
    reveal(this.detail);
    this.#showEntry();
  }

  close() {
    this.name = undefined;
    this.plot?.close();
  }

  /** Where the list scrolls by itself, let the chosen entry be seen. */
  #showEntry() {
    const entry = this.list.querySelector("[aria-current]");
    const side = this.list.parentElement;
    if (!entry || !side) return;
    const [inner, outer] = [entry.getBoundingClientRect(), side.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) side.scrollTop += inner.top - outer.top - side.clientHeight / 3;
  }

  /** @param {StudyRow[]} studies */
  #drawList(studies) {
    const papers = [...new Set(studies.map(({ paper }) => paper))].sort((a, b) => (a || Infinity) - (b || Infinity)); // our own last
    this.list.replaceChildren(
      ...papers.flatMap((paper) => [
        h("h2", {}, paperName(paper)),
        h("ul", { class: "cards" }, studies.filter((study) => study.paper === paper).map((study) =>
          h("li", {},
            h("a", { href: link("studies", study.name), "aria-current": study.name === this.name ? "true" : null },
              h("b", {}, study.title), study.results.length ? null : h("small", {}, "no results yet"))))),
      ]),
    );
  }
}

/** @param {StudyRow} study @param {StudyResult} result @param {StudyPlot | null} plot */
function resultCard(study, result, plot) {
  const scales = study.results.map((scale) => ({ value: scale, label: scale }));
  return h(
    "section",
    { class: "card" },
    h("h2", {}, result.title),
    scales.length > 1
      ? choice("Scale", scales, { test: "scale", value: result.scale, onChange: (scale) => go("studies", study.name, { scale }) }).element
      : h("p", { class: "muted" }, SCALE_WORDS[result.scale] ?? `Scale: ${result.scale}`),
    result.stale ? h("p", { class: "warning", role: "note", "data-test": "stale" }, result.stale) : null,
    resultTable(result),
    plot?.element ?? null,
    result.claims.length ? claimsList(result.claims) : null,
    result.notes.length ? [h("h3", {}, "Notes"), h("ul", { class: "notes" }, result.notes.map((note) => h("li", {}, note)))] : null,
    h("p", { class: "muted" }, "To make it yourself: ", h("code", {}, result.command), `. Last made ${moment(result.made)}.`),
  );
}

/** What the paper says, and whether it holds in our runs. @param {Claim[]} claims */
function claimsList(claims) {
  return [
    h("h3", {}, "What the paper claims, and what we found"),
    h("ul", { class: "notes", "data-test": "claims" }, claims.map(({ text, verdict, reason }) =>
      h("li", {}, `${text}. `, h("b", {}, headline(verdict)), h("span", { class: "muted" }, `: ${reason}.`)))),
  ];
}

/** A verdict as readers see it. @param {string} verdict */
function headline(verdict) {
  return verdict === "cannot be told" ? "Inconclusive here" : `Here it ${verdict}`;
}

/**
 * Ours and the paper's figures side by side; a column that the paper does not have is ours alone.
 *
 * @param {StudyResult} result
 */
function resultTable({ columns, rows }) {
  const shown = columns.map((column) => ({ ...column, hasPaper: rows.some((row) => number(row.paper[column.name])) }));
  const beside = shown.some(({ hasPaper }) => hasPaper);
  const second = shown.flatMap(({ hasPaper }) => (hasPaper ? ["ours", "paper"] : ["ours"]));
  return tableScroll(
    "Figures of the study",
    h(
      "table",
      { class: "facts study", "data-test": "study-table" },
      h(
        "thead",
        {},
        h("tr", {}, h("th", { rowspan: beside ? 2 : 1, scope: "col" }, ""), shown.map((column) =>
          h("th", { scope: "colgroup", colspan: column.hasPaper ? 2 : 1 }, column.title, column.unit ? h("span", { class: "muted" }, ` [${column.unit}]`) : null))),
        beside ? h("tr", {}, second.map((whose) => h("th", { scope: "col", class: `is-${whose}` }, whose))) : null,
      ),
      h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, variantName(row.label)), shown.flatMap((column) => cells(row, column))))),
    ),
  );
}

/** @param {Row} row @param {Column & {hasPaper: boolean}} column */
function cells(row, { name, digits, hasPaper }) {
  const off = margin(row.values[name], row.intervals[name], digits);
  const ours = h("td", { class: "number is-ours" }, written(row.values[name], digits),
    off ? h("span", { class: "muted" }, ` ${off}`) : null);
  return hasPaper ? [ours, h("td", { class: "number is-paper" }, written(row.paper[name], digits))] : [ours];
}

/** @param {number | undefined} value @param {number} digits */
function written(value, digits) {
  return number(value) ? plain(value, digits) : value ?? "";
}

/**
 * How far a figure may be off: "±1.0", or from where to where if that differs: "[0.0, 6.6]".
 *
 * @param {number | undefined} value
 * @param {number[] | undefined} interval
 * @param {number} digits
 */
function margin(value, interval, digits) {
  if (!number(value) || !interval) return "";
  const [below, above] = interval.map((end) => plain(Math.abs(value - end), digits));
  return below === above ? `±${below}` : `[${interval.map((end) => plain(end, digits)).join(", ")}]`;
}

/** @param {unknown} value @returns {value is number} */
function number(value) {
  return typeof value === "number" && Number.isFinite(value);
}

/**
 * The name of a row for readers: what a study calls "paper" is our run of the paper's setup.
 *
 * @param {string} label
 */
function variantName(label) {
  if (label === "paper") return "the paper's setup, our run";
  const figure = /^fig-(\d+)$/.exec(label);
  return figure ? `Figure ${figure[1]}'s setup, our run` : label;
}

/** @param {number} paper */
function paperName(paper) {
  if (paper === 0) return "Our own";
  return PAPERS[paper] ? `${paper}. ${PAPERS[paper]}` : `Paper ${paper}`;
}
