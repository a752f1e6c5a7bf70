/** Studies: the papers' tables and figures beside ours. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { moment, plain } from "../format.js";
import { attempt, complain } from "../notices.js";
import { choice } from "../parts/field.js";
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

/** @param {HTMLElement} root */
export function open(root) {
  return new StudiesPage(root);
}

class StudiesPage {
  /** @type {StudyRow[] | undefined} */
  studies;
  /** @type {string | null | undefined} the study that is shown; undefined: none any more */
  name;

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
      this.detail.replaceChildren(h("p", { class: "hint" }, this.studies.length ? "Choose a study." : "There are no studies yet."));
      return;
    }
    const scale = query.get("scale") ?? SCALES.find((one) => study.results.includes(one)) ?? study.results[0];
    if (!scale) {
      this.detail.replaceChildren(h("section", { class: "card" }, h("h2", {}, study.title),
        h("p", {}, "This study has no results yet. Make them with:"), h("pre", {}, `outflank study run ${study.name} --scale laptop`)));
      return;
    }
    const result = await attempt(() => api.study(study.name, scale));
    if (result && this.name === name) this.detail.replaceChildren(resultCard(study, result));
  }

  close() {
    this.name = undefined;
  }

  /** @param {StudyRow[]} studies */
  #drawList(studies) {
    const papers = [...new Set(studies.map(({ paper }) => paper))].sort((a, b) => (a > b ? 1 : -1));
    this.list.replaceChildren(
      ...papers.flatMap((paper) => [
        h("h2", {}, paperName(paper)),
        h("ul", { class: "cards" }, studies.filter((study) => study.paper === paper).map((study) =>
          h("li", {},
            h("a", { href: link("studies", study.name), "aria-current": study.name === this.name ? "true" : null },
              h("b", {}, study.title), h("small", {}, study.results.length ? study.results.join(", ") : "no results yet"))))),
      ]),
    );
  }
}

/** @param {StudyRow} study @param {StudyResult} result */
function resultCard(study, result) {
  const scales = study.results.map((scale) => ({ value: scale, label: scale }));
  return h(
    "section",
    { class: "card" },
    h("h2", {}, result.title),
    scales.length > 1
      ? choice("Scale", scales, { test: "scale", value: result.scale, onChange: (scale) => go("studies", study.name, { scale }) }).element
      : h("p", { class: "muted" }, `Scale: ${result.scale}`),
    resultTable(result),
    result.figure ? h("img", { class: "figure", src: result.figure, alt: `Figure of the study: ${result.title}`, "data-test": "figure" }) : null,
    result.claims.length ? claimsList(result.claims) : null,
    result.notes.length ? [h("h3", {}, "Notes"), h("ul", { class: "notes" }, result.notes.map((note) => h("li", {}, note)))] : null,
    h("p", { class: "muted" }, "Make it again: ", h("code", {}, result.command), `. Made ${moment(result.made)}.`),
  );
}

/** What the paper says, and whether it holds in our runs. @param {Claim[]} claims */
function claimsList(claims) {
  return [
    h("h3", {}, "What the paper says"),
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
  return h(
    "div",
    { class: "table-scroll" },
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
      h("tbody", {}, rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.label), shown.flatMap((column) => cells(row, column))))),
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

/** @param {number} paper */
function paperName(paper) {
  return PAPERS[paper] ? `${paper}. ${PAPERS[paper]}` : `Paper ${paper}`;
}
