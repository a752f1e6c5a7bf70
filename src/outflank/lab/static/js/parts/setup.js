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
  { value: "random", label: "Random" },
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
    this.start = new StartPicker(onPreview);
    this.minutes = numberField("Minutes per side", {
      test: "minutes", least: 0.1, most: 600, placeholder: "no limit", value: before.minutes ?? "",
    });
    this.budget = numberField("Handicap in discs", {
      test: "budget", least: 0, most: 1000, step: 1, placeholder: "none",
      help: "How many discs the opponent may give away over the game.",
    });
    this.opponent = new PlayerPicker({
      label: "Opponent", test: "opponent", people: true, onChange: () => this.#chosen(),
      more: [h("div", { class: "fields" }, this.minutes.element, this.budget.element), this.start.element],
    });
    this.color = choice("You play", COLORS, { test: "color", value: COLORS.some(({ value }) => value === before.color) ? before.color : "black" });
    this.cancel = h("button", { type: "button", class: "quiet", "data-test": "cancel", onclick: onCancel }, "Back to the game");
    this.button = h("button", { type: "submit", class: "primary", "data-test": "start-game" }, "Start game");
    this.element = h(
      "form",
      { class: "card setup", "data-test": "setup", onsubmit: (event) => this.#submit(event) },
      h("h2", {}, "New game"),
      this.opponent.element,
      this.color.element,
      h("div", { class: "buttons" }, this.button, this.cancel),
      this.opponent.advanced,
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
    if (start || moves) this.opponent.advanced.open = true; // it does not begin where games usually do
    const players = await attempt(() => api.players());
    if (!players) return;
    const usual = { base: players.opponent };
    this.opponent.fill(players.groups, against ? { base: against } : recall("setup", {}).opponent ?? usual);
  }

  /** Only some players can give discs away; no other player takes their place. */
  #chosen() {
    this.budget.element.hidden = !this.opponent.player?.handicap;
    this.color.element.hidden = this.opponent.select.value === "human";
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    const color = this.color.value === "random" ? (Math.random() < 0.5 ? "black" : "white") : this.color.value;
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
        budget: this.budget.element.hidden ? null : number(this.budget),
        paused: false,
      }),
    );
    this.button.disabled = false;
    if (table) this.onStart(table);
  }
}
