/** The games of a file, a page at a time, found by player, event, year and result. */

import { fill, h } from "../dom.js";
import { count, several } from "../format.js";
import { icon } from "../icons.js";
import { say } from "../notices.js";
import { field } from "./field.js";

/** @import { RecordRow, Records } from "../types.js" */

const PAGE = 25; // games

/** @type {Object<string, (score: number | null) => boolean>} */
const RESULTS = {
  "any result": () => true,
  "black won": (score) => score !== null && score > 0,
  "white won": (score) => score !== null && score < 0,
  drawn: (score) => score === 0,
  unfinished: (score) => score === null,
};

export class RecordList {
  #page = 0;

  /**
   * @param {Records} records
   * @param {(number: number) => void} onOpen
   */
  constructor({ games, bad }, onOpen) {
    this.games = games;
    this.onOpen = onOpen;
    const years = [...new Set(games.map(yearOf).filter(Boolean))].sort();
    const changed = () => this.#draw(0);
    this.search = h("input", { type: "search", "data-test": "load-filter", oninput: changed });
    this.year = h("select", { "data-test": "load-year", onchange: changed }, h("option", { value: "" }, "any year"), years.map((year) => h("option", { value: year }, year)));
    this.result = h("select", { "data-test": "load-result", onchange: changed }, Object.keys(RESULTS).map((name) => h("option", { value: name }, name)));
    this.list = h("ul", { class: "games records", "data-test": "load-games" });
    this.words = h("p", { class: "muted", "data-test": "load-words" });
    /** @type {(name: string, label: string, by: number) => HTMLButtonElement} */
    const turn = (name, label, by) =>
      h("button", { type: "button", class: "quiet icon", "data-test": `load-${name}`, "aria-label": label, title: label, onclick: () => this.#draw(this.#page + by) }, icon(name));
    this.back = turn("previous", "Earlier games of the list", -1);
    this.on = turn("next", "Further games of the list", 1);
    const words = `${several(games.length, "game")} found${bad.length ? `, ${bad.length} not readable` : ""}.`;
    say(words);
    this.element = h(
      "div",
      { class: "record-list" },
      h("p", {}, words),
      bad.length ? h("details", {}, h("summary", {}, "What could not be read"), h("ul", { class: "notes" }, bad.map((line) => h("li", {}, line)))) : null,
      field("Search for a player or an event", this.search),
      h("div", { class: "fields" }, field("Year", this.year), field("Result", this.result)),
      this.list,
      h("div", { class: "paging" }, this.back, this.words, this.on),
    );
    this.#draw(0);
  }

  /** @param {number} page */
  #draw(page) {
    const wanted = this.search.value.toLowerCase().split(/\s+/);
    const fits = this.games.filter((game) => {
      const facts = [game.black, game.white, game.event, game.date].join(" ").toLowerCase();
      return wanted.every((word) => facts.includes(word))
        && (!this.year.value || yearOf(game) === this.year.value) && RESULTS[this.result.value](game.score);
    });
    const pages = Math.max(1, Math.ceil(fits.length / PAGE));
    this.#page = Math.max(0, Math.min(page, pages - 1));
    const first = this.#page * PAGE;
    const shown = fits.slice(first, first + PAGE);
    fill(this.list, shown.map((game) => this.#row(game)));
    this.list.scrollTop = 0;
    this.words.textContent = shown.length ? `${count(first + 1)}–${count(first + shown.length)} of ${several(fits.length, "game")}` : "No game fits.";
    this.back.disabled = this.#page === 0;
    this.on.disabled = this.#page === pages - 1;
  }

  /** @param {RecordRow} game */
  #row(game) {
    const names = game.black || game.white ? `${game.black || "?"} – ${game.white || "?"}` : `Game ${game.number + 1}`;
    const facts = [game.score === null ? null : score(game.score), game.event, game.date].filter(Boolean).join(" · ");
    return h("li", {}, h("button", { type: "button", class: "link games-open", onclick: () => this.onOpen(game.number) },
      h("span", { class: "games-names" }, names),
      facts ? h("small", {}, facts) : null,
      h("small", { class: "games-moves" }, moves(game.begins))));
  }
}

/** "black won 40–24". @param {number} black its score */
function score(black) {
  const most = (64 + Math.abs(black)) / 2;
  return black === 0 ? "drawn 32–32" : `${black > 0 ? "black" : "white"} won ${most}–${64 - most}`;
}

/** Moves with room between them: "f5 d6 c3 …". @param {string} word */
function moves(word) {
  return word ? `${word.match(/../g)?.join(" ") ?? ""} …` : "no moves";
}

/** @param {RecordRow} game */
function yearOf({ date }) {
  return /\d{4}/.exec(date)?.[0] ?? "";
}
