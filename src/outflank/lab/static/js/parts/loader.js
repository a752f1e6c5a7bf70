/** Opening games from pasted text or files; from a file with many games, one is chosen. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { attempt } from "../notices.js";
import { field } from "./field.js";
import { RecordList } from "./record-list.js";

/** @import { Table } from "../types.js" */

const NAMES = /\.(jou|trn)$/i; // of WThor files that hold names of players and events

export class Loader {
  /** @param {(table: Table) => void} onTable a game was opened */
  constructor(onTable) {
    this.onTable = onTable;
    this.text = h("textarea", { rows: 3, spellcheck: "false", "data-test": "load-text", placeholder: "f5d6c3d3c4… or the text of a game file" });
    this.file = h("input", {
      type: "file", multiple: true, class: "visually-hidden", "data-test": "load-file", onchange: () => this.#readFiles(),
    });
    this.results = h("div", { class: "load-results" });
    this.element = h(
      "div",
      { class: "loader" },
      field("Paste a game", this.text),
      h("div", { class: "buttons" },
        h("button", { type: "button", class: "primary", "data-test": "load-open", onclick: () => this.#readText() }, "Open"),
        h("label", { class: "button file-button" }, this.file, icon("file"), "Choose files…")),
      h("p", { class: "muted" }, "Reads WThor, GGF, SGF, OBF, transcripts and board strings. Choose WTH.JOU and WTH.TRN together with a WThor file to see the names of players and events."),
      this.results,
    );
  }

  #readText() {
    const text = this.text.value.trim();
    if (text) this.#read(text, "pasted.txt", []);
    else this.text.focus();
  }

  /** Names first: the games that come with them are read with these names. */
  async #readFiles() {
    const files = [...(this.file.files ?? [])];
    this.file.value = ""; // so that the same files can be chosen again
    const games = files.find(({ name }) => !NAMES.test(name));
    if (!games) {
      if (files.length) this.results.replaceChildren(h("p", { class: "error" }, "These are names only. Choose a file of games with them."));
      return;
    }
    /** @type {string[]} */
    const tokens = [];
    for (const file of files.filter(({ name }) => NAMES.test(name))) {
      const names = await attempt(() => api.readNames(file, file.name));
      if (names) tokens.push(names.token);
    }
    await this.#read(games, games.name, tokens);
  }

  /** @param {string | Blob} content @param {string} name @param {string[]} names tokens */
  async #read(content, name, names) {
    this.results.replaceChildren(h("p", { class: "muted" }, "Reading…"));
    const found = await attempt(() => api.readRecords(content, name, names));
    this.results.replaceChildren();
    if (!found) return;
    if (found.games.length === 1 && !found.bad.length) this.#open(found.token, found.games[0].number);
    else this.results.replaceChildren(new RecordList(found, (number) => this.#open(found.token, number)).element);
  }

  /** @param {string} token @param {number} number */
  async #open(token, number) {
    const table = await attempt(() => api.openRecord(token, number));
    if (table) this.onTable(table);
  }
}
