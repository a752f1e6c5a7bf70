/** Where a game begins: the usual position, a named opening, or what somebody pasted. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { complain, wordsOf } from "../notices.js";
import { readTranscript } from "../squares.js";
import { field } from "./field.js";

/** @import { Opening, Place } from "../types.js" */

/** @typedef {{start: string | null, moves: string}} Start as the API takes it */

const CALM = 300; // milliseconds without typing before the pasted text is looked at

export class StartPicker {
  #timer = 0;
  #asked = 0;
  /** @type {{text: string, value: Start} | null} what was set, and its text */
  given = null;

  /** @param {(place: Place | null) => void} onPreview the chosen position, or null if it is none */
  constructor(onPreview) {
    this.onPreview = onPreview;
    this.kind = h(
      "select",
      { "data-test": "start", onchange: () => this.#changed() },
      h("option", { value: "standard" }, "The usual start"),
      h("option", { value: "opening" }, "A named opening"),
      h("option", { value: "pasted" }, "A position or game that you paste"),
    );
    this.opening = h("select", { "data-test": "start-opening", onchange: () => this.#changed() });
    this.text = h("textarea", {
      rows: 3, spellcheck: "false", "data-test": "start-text", placeholder: "f5d6c3…",
      oninput: () => this.#typed(),
    });
    this.openingField = field("Opening", this.opening);
    this.textField = field(
      "Position or moves", this.text, "Moves such as f5d6c3, or 64 squares (X, O and -) and the side to move.",
    );
    this.error = h("p", { class: "error", role: "alert", "data-test": "start-error" });
    this.element = h("div", { class: "start-picker" }, field("Start from", this.kind), this.openingField, this.textField, this.error);
    this.#arrange();
    api.openings().then((openings) => this.#fill(openings), complain);
  }

  /** @returns {Start} */
  get value() {
    if (this.kind.value === "opening") return { start: null, moves: this.opening.value };
    if (this.kind.value === "standard") return { start: null, moves: "" };
    return this.given && this.given.text === this.text.value ? this.given.value : readPasted(this.text.value);
  }

  /** Begin from here. @param {Start} start */
  set({ start, moves }) {
    this.kind.value = start || moves ? "pasted" : "standard";
    this.text.value = [start, moves].filter(Boolean).join(" ");
    this.given = { text: this.text.value, value: { start, moves } };
    this.#changed();
  }

  /** @param {Opening[]} openings */
  #fill(openings) {
    this.opening.replaceChildren(...openings.map(({ name, moves }) => h("option", { value: moves }, `${name} (${moves})`)));
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#changed(), CALM);
  }

  #arrange() {
    this.openingField.hidden = this.kind.value !== "opening";
    this.textField.hidden = this.kind.value !== "pasted";
  }

  async #changed() {
    this.#arrange();
    const asked = ++this.#asked;
    const { start, moves } = this.value;
    try {
      const place = await api.position(start, moves);
      if (asked !== this.#asked) return;
      this.error.textContent = "";
      this.onPreview(place);
    } catch (error) {
      if (asked !== this.#asked) return;
      this.error.textContent = wordsOf(error);
      this.onPreview(null);
    }
  }
}

/**
 * What does not begin with a move is taken as a position; the server says what is wrong with it.
 *
 * @param {string} text
 * @returns {Start}
 */
function readPasted(text) {
  const moves = readTranscript(text);
  if (moves) return { start: null, moves: moves.join("") };
  if (/^\s*(\d+\.?\s*)?[a-h][1-8]/i.test(text)) return { start: null, moves: text.trim() }; // with something wrong in it
  return { start: text.trim() || null, moves: "" };
}
