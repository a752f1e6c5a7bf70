/** Explore: what experts played next, how often, and how it ended. */

import { api } from "../api.js";
import { Board } from "../board.js";
import { h } from "../dom.js";
import { count, percent, several, signed } from "../format.js";
import { attempt, complain, say } from "../notices.js";
import { numberField } from "../parts/field.js";
import { shareBar } from "../parts/share-bar.js";
import { setShortcuts } from "../parts/shortcuts.js";
import { go, link } from "../router.js";

export const title = "Explore";

export function open(root) {
  return new ExploreRoom(root);
}

class ExploreRoom {
  #moves = [];
  #asked = 0;

  constructor(root) {
    this.board = new Board({
      label: "Opening explorer",
      onPlay: (square) => this.#go([...this.#moves, square]),
      onRefuse: (words) => this.#answer(words),
    });
    this.board.showsLegal = true;
    this.status = h("p", { class: "status", "data-test": "status" });
    this.crumbs = h("ol", { class: "crumbs", "data-test": "crumbs" });
    this.first = numberField("From year", { test: "first-year", least: 1900, most: 2100, step: 1 });
    this.last = numberField("To year", { test: "last-year", least: 1900, most: 2100, step: 1 });
    this.results = h("div", { class: "explore-results" });
    const filter = h(
      "form",
      { class: "years", onsubmit: (event) => { event.preventDefault(); this.#go(this.#moves); } },
      this.first.element, this.last.element, h("button", { type: "submit", "data-test": "filter-years" }, "Filter"),
    );
    root.append(
      h("h1", { class: "visually-hidden" }, "Explore openings"),
      h("section", { class: "stage", "aria-label": "Board" }, h("nav", { "aria-label": "Moves so far" }, this.crumbs), h("div", { class: "board-box" }, this.board.element), this.status),
      h("aside", { class: "panel", "aria-label": "Next moves" }, h("section", { class: "card" }, filter), this.results),
    );
    this.endShortcuts = setShortcuts({
      ArrowLeft: { does: "one move back", run: () => this.#moves.length && this.#go(this.#moves.slice(0, -1)) },
      b: { does: "to the board", run: () => this.board.focus() },
    });
  }

  async show({ name, query }) {
    const asked = ++this.#asked;
    const moves = name ?? "";
    this.first.input.value = query.get("first") ?? "";
    this.last.input.value = query.get("last") ?? "";
    try {
      const found = await api.explore(moves, query.get("first"), query.get("last"));
      if (asked === this.#asked) this.#draw(found);
    } catch (error) {
      if (asked === this.#asked) await this.#drawWithout(moves, error);
    }
  }

  close() {
    this.#asked += 1;
    this.endShortcuts();
  }

  #years() {
    return { first: this.first.input.value, last: this.last.input.value };
  }

  #go(moves) {
    go("explore", moves.filter((move) => move !== "pass").join("") || null, this.#years());
  }

  #answer(words) {
    this.status.textContent = words;
    say(words);
  }

  #draw(found) {
    this.#place(found.place, found.moves, found.opening);
    for (const { input } of [this.first, this.last]) Object.assign(input, { min: found.first ?? "", max: found.last ?? "" });
    this.first.input.placeholder = found.first ?? "";
    this.last.input.placeholder = found.last ?? "";
    const marks = found.next.map(({ move, games }, index) => [move, { text: percent(games / Math.max(1, found.games)), best: index === 0 }]);
    this.board.mark(Object.fromEntries(marks));
    this.#answer(`${several(found.games, "game")}${found.opening ? `, ${found.opening}` : ""}.`);
    this.results.replaceChildren(
      h("section", { class: "card" }, h("h2", {}, "Next moves"), shareBar(found), this.#nextTable(found)),
      found.sample.length ? h("section", { class: "card" }, h("h2", {}, "Some of the games"), this.#sample(found.sample)) : "",
    );
  }

  /** There are no games to explore: the board works all the same, and the server says what to do. */
  async #drawWithout(moves, error) {
    const place = await attempt(() => api.position(null, moves));
    if (place) this.#place(place, place.moves, place.opening);
    this.board.mark({});
    if (!(error.status >= 400 && error.status < 500)) complain(error);
    this.results.replaceChildren(h("section", { class: "card", "data-test": "explore-empty" }, h("h2", {}, "No games to explore"), h("p", {}, error.message)));
  }

  #place(place, moves, opening) {
    this.#moves = moves;
    this.board.show(place, { last: moves.at(-1) ?? null });
    this.status.textContent = opening ?? "";
    const crumb = (text, length) =>
      h("li", {}, h("a", {
        href: link("explore", moves.slice(0, length).filter((move) => move !== "pass").join("") || null, this.#years()),
        "aria-current": length === moves.length ? "true" : null,
      }, text));
    this.crumbs.replaceChildren(crumb("Start", 0), ...moves.map((move, index) => crumb(move, index + 1)));
    this.crumbs.scrollLeft = this.crumbs.scrollWidth;
  }

  #nextTable({ next, games }) {
    if (!next.length) return h("p", { class: "muted", "data-test": "next-moves" }, "None of the games went on from here.");
    return h(
      "div",
      { class: "table-scroll" },
      h(
        "table",
        { class: "facts compact", "data-test": "next-moves" },
        h("thead", {}, h("tr", {}, ["Move", "Games", "Results", "Years"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, next.map((one) =>
          h("tr", {},
            h("th", { scope: "row" }, h("button", { type: "button", class: "link", onclick: () => this.#go([...this.#moves, one.move]) }, one.move)),
            h("td", { class: "number" }, count(one.games), h("small", { class: "muted" }, ` ${percent(one.games / Math.max(1, games))}`)),
            h("td", { class: "shares-cell" }, shareBar(one)),
            h("td", { class: "number" }, one.first === one.last ? one.first : `${one.first}–${one.last}`)))),
      ),
    );
  }

  #sample(games) {
    const open = async (game) => {
      const table = await attempt(() =>
        api.newGame({ black: "human", white: "human", start: null, moves: game.transcript, minutes: null, delay: 0, budget: null, paused: true }),
      );
      if (table) go("review", table.id);
    };
    return h(
      "ul",
      { class: "games", "data-test": "sample-games" },
      games.map((game) =>
        h("li", {}, h("button", { type: "button", class: "link games-open", onclick: () => open(game) },
          h("span", { class: "games-names" }, `${game.black} – ${game.white}`),
          h("small", {}, [game.year, game.event, game.score === null ? null : `${signed(game.score)} for black`].filter(Boolean).join(" · "))))),
    );
  }
}
