/** The form that starts a game on the page Play. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { attempt } from "../notices.js";
import { keep, recall } from "../storage.js";
import { choice, numberField } from "./field.js";
import { PlayerPicker } from "./player-picker.js";
import { StartPicker } from "./start-picker.js";

const COLORS = [
  { value: "black", label: "Black" },
  { value: "white", label: "White" },
  { value: "either", label: "Either" },
];

export class Setup {
  /**
   * @param {Object} options
   * @param {(table: import("../types.js").Table) => void} options.onStart a game was started
   * @param {(place: import("../types.js").Place | null) => void} options.onPreview where it would begin
   * @param {() => void} options.onCancel
   */
  constructor({ onStart, onPreview, onCancel }) {
    const before = recall("setup", {});
    this.onStart = onStart;
    this.opponent = new PlayerPicker({ label: "Opponent", test: "opponent", people: true });
    this.color = choice("Your colour", COLORS, { test: "color", value: before.color ?? "black" });
    this.start = new StartPicker(onPreview);
    this.minutes = numberField("Minutes per side", {
      test: "minutes", least: 0.1, most: 600, placeholder: "no limit", value: before.minutes ?? "",
    });
    this.budget = numberField("Handicap", {
      test: "budget", least: 0, most: 64, step: 1, placeholder: "none",
      help: "Discs that the opponent may give away. Only networks can: for all others, imitation-fast plays.",
    });
    this.cancel = h("button", { type: "button", class: "quiet", "data-test": "cancel", onclick: onCancel }, "Back to the game");
    this.button = h("button", { type: "submit", class: "primary", "data-test": "start-game" }, "Start game");
    this.element = h(
      "form",
      { class: "card setup", "data-test": "setup", onsubmit: (event) => this.#submit(event) },
      h("h2", {}, "New game"),
      this.opponent.element,
      this.color.element,
      this.start.element,
      h("div", { class: "fields" }, this.minutes.element, this.budget.element),
      h("div", { class: "buttons" }, this.button, this.cancel),
    );
  }

  /**
   * Ask for the players, and fill the form.
   *
   * @param {{against?: string | null, start?: string | null, moves?: string, canCancel: boolean}} wishes
   */
  async show({ against = null, start = null, moves = "", canCancel }) {
    this.cancel.hidden = !canCancel;
    this.start.set({ start, moves });
    const players = await attempt(() => api.players());
    if (players) this.opponent.fill(players.groups, against ? { base: against } : recall("setup", {}).opponent ?? null);
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    const color = this.color.value === "either" ? (Math.random() < 0.5 ? "black" : "white") : this.color.value;
    const { spec } = this.opponent;
    const number = (/** @type {{input: HTMLInputElement}} */ { input }) => (input.value === "" ? null : Number(input.value));
    keep("setup", { opponent: this.opponent.chosen, color: this.color.value, minutes: this.minutes.input.value });
    this.button.disabled = true;
    const table = await attempt(() =>
      api.newGame({
        black: color === "black" ? "human" : spec,
        white: color === "white" ? "human" : spec,
        ...this.start.value,
        minutes: number(this.minutes),
        delay: 0,
        budget: number(this.budget),
        paused: false,
      }),
    );
    this.button.disabled = false;
    if (table) this.onStart(table);
  }
}
