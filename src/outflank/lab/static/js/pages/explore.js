/** Explore: what experts played next, how often, and how it ended. */

import { api } from "../api.js";
import { Board } from "../board.js";
import { h } from "../dom.js";
import { count, percent, several } from "../format.js";
import { attempt, complain, say, wordsOf } from "../notices.js";
import { numberField } from "../parts/field.js";
import { shareBar } from "../parts/share-bar.js";
import { setShortcuts } from "../parts/shortcuts.js";
import { tableScroll } from "../parts/table-scroll.js";
import { go, link } from "../router.js";

/** @import { Route } from "../router.js" */
/** @import { Mark } from "../cell.js" */
/** @import { Explored, ExploredGame, Place } from "../types.js" */

export const title = "Explore";

const SLOW = 200; // milliseconds without an answer, after which the page says that the games are read

/** @param {HTMLElement} root */
export function open(root) {
  return new ExplorePage(root);
}

class ExplorePage {
  /** @type {Pick<Place, "empties" | "turn">} the position that is shown */
  present = { empties: 60, turn: "black" };
  /** @type {string[]} */
  #moves = [];
  /** @type {string[]} the moves that were looked at, also those after the position that is shown */
  #line = [];
  #asked = 0;

  /** @param {HTMLElement} root */
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
      this.first.element, this.last.element, h("button", { type: "submit", "data-test": "filter-years" }, "Show"),
    );
    root.append(
      h("h1", { class: "visually-hidden" }, "Explore openings"),
      h("section", { class: "stage", "aria-label": "Board" }, h("nav", { "aria-label": "Moves so far" }, this.crumbs), h("div", { class: "board-box" }, this.board.element), this.status),
      h("aside", { class: "panel", "aria-label": "Next moves" }, h("section", { class: "card" }, filter), this.results),
    );
    this.endShortcuts = setShortcuts({
      ArrowLeft: { does: "one move back", run: () => this.#back() },
      ArrowRight: { does: "one move on, where you were before", run: () => this.#on() },
      b: { does: "go to the board", run: () => this.board.focus() },
    });
  }

  /** @param {Route} route */
  async show({ name, query }) {
    const asked = ++this.#asked;
    const moves = name ?? "";
    const [first, last] = [query.get("first"), query.get("last")];
    this.first.input.value = first ?? "";
    this.last.input.value = last ?? "";
    const reading = setTimeout(() => asked === this.#asked && this.#note("Next moves", "Reading the games…"), SLOW);
    try {
      const place = await api.position(null, moves); // is there at once, also before the games are read
      if (asked !== this.#asked) return;
      this.#place(place);
      const found = await api.explore(moves, first, last);
      if (asked !== this.#asked) return;
      this.#place({ opening: place.opening, ...found.place, moves: found.moves }); // with a pass, where it is forced
      if ("error" in found) this.#note("No games to explore", found.error, "explore-empty");
      else this.#draw(found);
    } catch (error) {
      if (asked !== this.#asked) return;
      complain(error);
      this.#note("Nothing to show", wordsOf(error));
    } finally {
      clearTimeout(reading);
    }
  }

  close() {
    this.#asked += 1;
    this.endShortcuts();
  }

  #years() {
    return { first: this.first.input.value, last: this.last.input.value };
  }

  /** @param {string[]} moves */
  #go(moves) {
    go("explore", moves.join("") || null, this.#years());
  }

  /** One move back; passes are forced, and would come back at once. */
  #back() {
    const last = this.#moves.findLastIndex((move) => move !== "pass");
    if (last >= 0) this.#go(this.#moves.slice(0, last));
  }

  /** One move on along the line that was looked at before. */
  #on() {
    const length = this.#moves.length;
    if (length < this.#line.length) this.#go(this.#line.slice(0, length + 1));
  }

  /** @param {string} words */
  #answer(words) {
    this.status.textContent = words;
    say(words);
  }

  /** @param {Explored} found */
  #draw(found) {
    const { first_year: first, last_year: last } = found; // of all games, whatever the filter is
    for (const { input } of [this.first, this.last]) Object.assign(input, { min: first, max: last });
    this.first.input.placeholder = String(first);
    this.last.input.placeholder = String(last);
    /** @type {[string, Mark][]} */
    const marks = found.next.map(({ move, games }, index) => [move, { text: percent(games / Math.max(1, found.games)), best: index === 0 }]);
    this.board.mark(Object.fromEntries(marks));
    this.#answer(`${several(found.games, "game")}${found.opening ? `, ${found.opening}` : ""}.`);
    this.results.replaceChildren(
      h("section", { class: "card" }, h("h2", {}, "Next moves"), shareBar(found), h("ul", { class: "keys-row", "aria-hidden": "true" }, h("li", { class: "key-black" }, "black won"), h("li", { class: "key-draws" }, "drawn"), h("li", { class: "key-white" }, "white won")), this.#nextTable(found)),
      found.sample.length ? h("section", { class: "card" }, h("h2", {}, "Games that reached this position"), this.#sample(found.sample)) : "",
    );
  }

  /**
   * Some words in place of the games; the board works all the same.
   *
   * @param {string} head
   * @param {string} words
   * @param {string | null} [test]
   */
  #note(head, words, test = null) {
    this.results.replaceChildren(h("section", { class: "card", "data-test": test }, h("h2", {}, head), h("p", {}, words)));
  }

  /** @param {Place & {opening: string | null, moves: string[]}} place */
  #place(place) {
    const { moves } = place;
    this.#moves = moves;
    this.present = place;
    if (moves.some((move, index) => move !== this.#line[index])) this.#line = moves; // another way than before
    this.board.show(place, { last: moves.at(-1) ?? null });
    this.board.mark({});
    this.status.textContent = place.opening ?? "";
    /** @type {(text: string, length: number) => HTMLElement} */
    const crumb = (text, length) =>
      h("li", {}, h("a", {
        href: link("explore", moves.slice(0, length).join("") || null, this.#years()),
        "aria-current": length === moves.length ? "true" : null,
      }, text));
    this.crumbs.replaceChildren(crumb("Start", 0), ...moves.map((move, index) => crumb(move, index + 1)));
    this.crumbs.scrollLeft = this.crumbs.scrollWidth;
  }

  /** @param {Explored} found */
  #nextTable({ next, games }) {
    if (!next.length) return h("p", { class: "muted", "data-test": "next-moves" }, "No game continued from here.");
    return tableScroll(
      "Next moves",
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

  /** @param {ExploredGame[]} games */
  #sample(games) {
    const open = async (/** @type {ExploredGame} */ { number }) => {
      const { empties, turn } = this.present; // a game has one position with this many discs, and maybe one after a pass
      const table = await attempt(() => api.openExplored(number));
      if (!table) return;
      const ply = table.plies.findIndex((place) => place.empties === empties && place.turn === turn);
      go("review", table.id, { ply: Math.max(0, ply) });
    };
    return h(
      "ul",
      { class: "games", "data-test": "sample-games" },
      games.map((game) =>
        h("li", {}, h("button", { type: "button", class: "link games-open", onclick: () => open(game) },
          h("span", { class: "games-names" }, `${game.black} – ${game.white}`),
          h("small", {}, [game.year, game.event, game.score === null ? null : `black ${game.score > 0 ? "won by" : game.score < 0 ? "lost by" : "drew"}${game.score ? ` ${Math.abs(game.score)}` : ""}`].filter(Boolean).join(" · "))))),
    );
  }
}
