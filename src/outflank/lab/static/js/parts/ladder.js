/** Players by rating, each rating with its interval as a small bar. */

import { h } from "../dom.js";
import { count, percent, plain } from "../format.js";
import { extent, linear } from "../scale.js";
import { tableScroll } from "./table-scroll.js";

/** @import { RatedPlayer } from "../types.js" */

/**
 * @param {RatedPlayer[]} standings
 * @param {string} test the table's name in tests
 */
export function ladder(standings, test) {
  const ends = standings.flatMap(({ elo, interval }) => interval ?? (elo === null ? [] : [elo]));
  const scale = linear(extent(ends, 0.04), [0, 100]);
  const titles = ["", "Player", "Elo", "95% interval", "Points", "Games", "Won – drawn – lost"];
  return tableScroll(
    "Ratings",
    h(
      "table",
      { class: "facts ladder", "data-test": test },
      h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title)))),
      h("tbody", {}, standings.map((standing, index) => row(standing, index, scale))),
    ),
  );
}

/**
 * @param {RatedPlayer} standing
 * @param {number} index
 * @param {(elo: number) => number} scale
 */
function row(standing, index, scale) {
  const { spec, name, elo, interval, games, wins, draws, losses } = standing;
  return h(
    "tr",
    {},
    h("td", { class: "number muted" }, index + 1),
    h("th", { scope: "row", title: spec }, name),
    h("td", { class: "number strong", title: elo === null ? "Not rated yet: it has met no rated player, directly or through others" : null }, elo === null ? "–" : plain(elo)),
    h("td", {}, interval && elo !== null ? intervalBar(elo, interval, scale) : ""),
    h("td", { class: "number" }, standing.winning_rate === null ? "" : percent(standing.winning_rate, 1)),
    h("td", { class: "number" }, count(games)),
    h("td", { class: "number" }, `${wins} – ${draws} – ${losses}`),
  );
}

/**
 * @param {number} elo
 * @param {[number, number]} interval
 * @param {(elo: number) => number} scale
 */
function intervalBar(elo, [low, high], scale) {
  const range = h("span", { class: "interval-range" });
  const point = h("span", { class: "interval-point" });
  range.style.left = `${scale(low)}%`;
  range.style.width = `${Math.max(0.5, scale(high) - scale(low))}%`;
  point.style.left = `${scale(elo)}%`;
  const words = `${plain(low)} to ${plain(high)}`;
  return h("span", { class: "interval", role: "img", "aria-label": words, title: words }, range, point);
}
