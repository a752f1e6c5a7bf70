/** A button that asks: the first click says what the second one does. */

import { fill, h } from "../dom.js";

const SURE = 4000; // milliseconds in which the second click counts

export class SureButton {
  #timer = 0;

  /**
   * @param {Object} options
   * @param {any[]} options.face what the button shows
   * @param {string} options.question what it shows after the first click
   * @param {() => void} options.run
   * @param {import("../dom.js").Attributes} [options.attributes]
   */
  constructor({ face, question, run, attributes = {} }) {
    this.face = face;
    this.question = question;
    this.run = run;
    this.label = attributes["aria-label"] ?? null;
    this.element = h("button", { type: "button", ...attributes, onclick: () => this.#clicked() }, face);
  }

  /** Forget the first click. */
  calm() {
    clearTimeout(this.#timer);
    if (!this.element.classList.contains("is-sure")) return;
    this.element.classList.remove("is-sure");
    if (this.label) this.element.setAttribute("aria-label", this.label);
    fill(this.element, this.face);
  }

  #clicked() {
    if (this.element.classList.contains("is-sure")) {
      this.calm();
      this.run();
      return;
    }
    this.element.classList.add("is-sure");
    this.element.removeAttribute("aria-label"); // the question is its name now
    fill(this.element, this.question);
    this.#timer = setTimeout(() => this.calm(), SURE);
  }
}
