/** Everybody against everybody: the row's winning rate against the column; a click lists the games. */

import { h } from "../dom.js";
import { percent, several } from "../format.js";
import { tableScroll } from "./table-scroll.js";

/** @import { Pairing } from "../types.js" */

/**
 * @param {string[]} specs in the order of rows and columns
 * @param {Pairing[]} pairs
 * @param {{nameOf: (spec: string) => string, onPair: (index: number) => void}} options
 */
export function crossTable(specs, pairs, { nameOf, onPair }) {
  /** @type {(row: string, column: string) => HTMLElement} */
  const cell = (row, column) => {
    if (row === column) return h("td", { class: "cross-self", "aria-label": "same player" }, "");
    const index = pairs.findIndex(({ first, second }) =>
      (first === row && second === column) || (first === column && second === row));
    if (index < 0) return h("td", {}, "");
    return resultCell(pairs[index].first === row ? pairs[index] : turned(pairs[index]), nameOf, () => onPair(index));
  };
  return tableScroll(
    "Cross table",
    h(
      "table",
      { class: "cross-table", "data-test": "cross-table" },
      h("caption", { class: "visually-hidden" }, "Winning rate of the row's player against the column's"),
      h("thead", {}, h("tr", {}, h("td", {}), specs.map((spec, index) => h("th", { scope: "col", title: nameOf(spec) }, index + 1)))),
      h("tbody", {}, specs.map((row, index) =>
        h("tr", {}, h("th", { scope: "row", title: row }, `${index + 1}. ${nameOf(row)}`), specs.map((column) => cell(row, column))))),
    ),
  );
}

/**
 * @param {Pairing} pair
 * @param {(spec: string) => string} nameOf
 * @param {() => void} open
 */
function resultCell(pair, nameOf, open) {
  if (!pair.games || pair.winning_rate === null) return h("td", { class: "muted number" }, "–");
  const between = `, 95% interval ${percent(pair.interval[0])} to ${percent(pair.interval[1])}`;
  const words = `${nameOf(pair.first)} against ${nameOf(pair.second)}: ${percent(pair.winning_rate)} of ${several(pair.games, "game")}`
    + ` (${pair.wins} won, ${pair.draws} drawn, ${pair.losses} lost${between})`;
  const tint = h("span", { class: "cross-tint", "aria-hidden": "true" });
  tint.style.opacity = String(0.45 * pair.winning_rate);
  return h(
    "td",
    {},
    h("button", { type: "button", class: "cross-cell", title: words, "aria-label": words, onclick: open }, tint, h("span", {}, percent(pair.winning_rate))),
  );
}

/**
 * The same pair, as the second player sees it.
 *
 * @param {Pairing} pair
 * @returns {Pairing}
 */
function turned({ first, second, wins, losses, winning_rate: rate, interval, ...rest }) {
  return {
    ...rest,
    first: second,
    second: first,
    wins: losses,
    losses: wins,
    winning_rate: rate === null ? null : 1 - rate,
    interval: [1 - interval[1], 1 - interval[0]],
  };
}
