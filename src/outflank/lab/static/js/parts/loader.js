/** Opening games from pasted text or a file; from a file with many games, one is chosen. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { several, signed } from "../format.js";
import { attempt, say } from "../notices.js";
import { field } from "./field.js";

/** @import { RecordRow, Records, Table } from "../types.js" */

const MOST = 200; // rows that are shown at once

export class Loader {
  /** @param {(table: Table) => void} onTable a game was opened */
  constructor(onTable) {
    this.onTable = onTable;
    this.text = h("textarea", { rows: 4, spellcheck: "false", "data-test": "load-text", placeholder: "f5d6c3d3c4… or the text of a game file" });
    this.file = h("input", { type: "file", "data-test": "load-file", onchange: () => this.#readFile() });
    this.results = h("div", { class: "load-results" });
    this.element = h(
      "div",
      { class: "loader" },
      field("Paste a game", this.text),
      h("div", { class: "buttons" }, h("button", { type: "button", class: "primary", "data-test": "load-open", onclick: () => this.#readText() }, "Open")),
      field("or choose a file", this.file, "WThor, GGF, SGF, OBF, transcripts and board strings."),
      this.results,
    );
  }

  #readText() {
    const text = this.text.value.trim();
    if (text) this.#read(text, "pasted.txt");
    else this.text.focus();
  }

  #readFile() {
    const file = this.file.files?.[0];
    if (file) this.#read(file, file.name);
  }

  /** @param {string | Blob} content @param {string} name */
  async #read(content, name) {
    this.results.replaceChildren(h("p", { class: "muted" }, "Reading…"));
    const found = await attempt(() => api.readRecords(content, name));
    this.results.replaceChildren();
    if (!found) return;
    if (found.games.length === 1 && !found.bad.length) this.#open(found.token, found.games[0].number);
    else this.#list(found);
  }

  /** @param {string} token @param {number} number */
  async #open(token, number) {
    const table = await attempt(() => api.openRecord(token, number));
    if (table) this.onTable(table);
  }

  /** @param {Records} records */
  #list({ token, games, bad }) {
    const words = `${several(games.length, "game")} found${bad.length ? `, ${bad.length} not readable` : ""}.`;
    say(words);
    const body = h("tbody", {});
    const more = h("p", { class: "muted" });
    const show = (/** @type {string} */ filter) => {
      const wanted = filter.toLowerCase().split(/\s+/);
      const fits = games.filter((game) => {
        const facts = [game.black, game.white, game.event, game.date].join(" ").toLowerCase();
        return wanted.every((word) => facts.includes(word));
      });
      body.replaceChildren(...fits.slice(0, MOST).map((game) => this.#row(token, game)));
      const rest = fits.length - MOST;
      if (!fits.length) more.textContent = "No game fits the filter.";
      else more.textContent = rest > 0 ? `${several(rest, "more game")}: narrow the filter to see them.` : "";
    };
    /** @type {HTMLInputElement} */
    const filter = h("input", { type: "search", "data-test": "load-filter", oninput: () => show(filter.value) });
    show("");
    this.results.replaceChildren(
      h("p", {}, words),
      bad.length ? h("details", {}, h("summary", {}, "What could not be read"), h("ul", {}, bad.slice(0, 20).map((line) => h("li", {}, line)))) : "",
      field("Filter by name, event or date", filter),
      h(
        "div",
        { class: "table-scroll load-list" },
        h(
          "table",
          { class: "facts", "data-test": "load-games" },
          h("thead", {}, h("tr", {}, ["Black", "White", "Event", "Date", "Score", "Moves"].map((title) => h("th", { scope: "col" }, title)))),
          body,
        ),
      ),
      more,
    );
  }

  /** @param {string} token @param {RecordRow} game */
  #row(token, game) {
    const open = () => this.#open(token, game.number);
    return h(
      "tr",
      {},
      h("td", {}, h("button", { type: "button", class: "link", onclick: open }, game.black || `Game ${game.number + 1}`)),
      [game.white, game.event, game.date].map((text) => h("td", {}, text ?? "")),
      h("td", { class: "number" }, game.score === null ? "" : signed(game.score)),
      h("td", { class: "number" }, game.plies),
    );
  }
}
