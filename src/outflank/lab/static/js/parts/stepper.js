/** The buttons that step through a game, right under the board. */

import { h } from "../dom.js";
import { icon } from "../icons.js";

export class Stepper {
  /** @type {import("../session.js").Session | null} */
  session = null;

  constructor() {
    /** @type {(name: string, label: string, target: (ply: number) => number) => HTMLButtonElement} */
    const step = (name, label, target) =>
      h("button", { type: "button", class: "quiet icon", "data-test": name, "aria-label": label, title: label,
        onclick: () => this.session?.table && this.session.look(target(this.session.ply)) }, icon(name));
    this.back = [step("first", "To the start", () => 0), step("previous", "One move back", (ply) => ply - 1)];
    this.on = [step("next", "One move on", (ply) => ply + 1), step("last", "To the newest move", () => Infinity)];
  }

  /** @param {import("../session.js").Session} session */
  show(session) {
    this.session = session;
    for (const button of this.back) button.disabled = session.ply === 0;
    for (const button of this.on) button.disabled = session.ply === session.present.moves.length;
  }

  /** Nothing to step through: the buttons keep their room, so that nothing moves when they come. @param {boolean} on */
  set idle(on) {
    for (const button of [...this.back, ...this.on]) button.classList.toggle("is-unseen", on);
  }
}
