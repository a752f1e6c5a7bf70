/** The controls of a game between two players: pause, go, one move, and the delay between moves. */

import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { keep, recall } from "../storage.js";
import { field } from "./field.js";

const DELAYS = [0, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10]; // seconds

/** The delay that was chosen last, in seconds. @returns {number} */
export function usualDelay() {
  return recall("delay", 0.5);
}

export class Speed {
  /** @type {boolean | null} as the button says it */
  #paused = null;

  /** @param {import("../session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.run = h("button", { type: "button", class: "primary", "data-test": "pause", onclick: () => this.toggle() });
    this.step = h("button", { type: "button", "data-test": "step", onclick: () => session.send("step") }, icon("step"), "One move");
    this.now = h("button", { type: "button", class: "quiet", "data-test": "move-now", onclick: () => session.send("stop") }, "Move now");
    this.again = h("button", { type: "button", class: "quiet", "data-test": "restart", onclick: () => session.send("restart") }, icon("restart"), "Play it again");
    this.slider = h("input", {
      type: "range", min: 0, max: DELAYS.length - 1, step: 1, "data-test": "delay", oninput: () => this.#slid(),
    });
    this.words = h("output", { class: "muted" });
    this.element = h(
      "div",
      {},
      h("div", { class: "buttons" }, this.run, this.step, this.now, this.again),
      h("div", { class: "slider" }, field("Pause between moves", this.slider), this.words),
    );
    this.#write(usualDelay());
  }

  /** Pause or go on. */
  toggle() {
    if (this.session.table) this.session.send(this.session.table.paused ? "go" : "pause");
  }

  show() {
    const { present: table } = this.session;
    const over = Boolean(table.result) || table.plies[table.plies.length - 1].over;
    if (table.paused !== this.#paused) this.#name(table.paused);
    this.run.disabled = over;
    this.step.disabled = over || !table.paused;
    this.now.disabled = !table.thinking || !table.can_stop;
    if (document.activeElement !== this.slider) this.#write(table.delay);
  }

  /** Only if it changed: a button that is rebuilt while it is pressed is not clicked. @param {boolean} paused */
  #name(paused) {
    this.#paused = paused;
    fill(this.run, icon(paused ? "start" : "pause"), paused ? "Continue" : "Pause");
  }

  #slid() {
    const seconds = DELAYS[Number(this.slider.value)];
    keep("delay", seconds);
    this.#write(seconds);
    this.session.send("delay", { seconds });
  }

  /** @param {number} seconds */
  #write(seconds) {
    const nearest = DELAYS.reduce((best, delay) => (Math.abs(delay - seconds) < Math.abs(best - seconds) ? delay : best));
    this.slider.value = String(DELAYS.indexOf(nearest));
    this.words.textContent = nearest ? `${nearest} s` : "none";
    this.slider.setAttribute("aria-valuetext", this.words.textContent);
  }
}
