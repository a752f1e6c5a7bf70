/** The buttons of a game that is played: undo, redo, swap sides, resign; and what the moment asks for. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { SureButton } from "./sure-button.js";

export class Actions {
  /**
   * @param {import("../session.js").Session} session
   * @param {() => void} onContinue from the moment that is shown
   */
  constructor(session, onContinue) {
    this.session = session;
    /** @type {(test: string, label: string, run: () => void, title?: string | null) => HTMLButtonElement} */
    const button = (test, label, run, title = null) =>
      h("button", { type: "button", "data-test": test, title, onclick: run }, label);
    /** @type {(test: string, sign: string, label: string, run: () => void, title?: string | null) => HTMLButtonElement} */
    const tool = (test, sign, label, run, title = null) =>
      h("button", { type: "button", class: "tool", "data-test": test, title, onclick: run }, icon(sign), label);
    this.undo = tool("undo", "undo", "Undo", () => session.send("undo"), "Take back (u)");
    this.redo = tool("redo", "redo", "Redo", () => session.send("redo"), "Play it again (r)");
    this.swap = tool("swap", "swap", "Swap", () => session.send("swap"), "Swap sides");
    this.resigning = new SureButton({
      face: [icon("flag"), "Resign"], question: "Really?", run: () => this.#resign(), attributes: { class: "tool", "data-test": "resign" },
    });
    this.resign = this.resigning.element;
    this.now = button("move-now", "Move now", () => session.send("stop"), "The opponent stops thinking and moves");
    this.go = button("go", "Go on", () => session.send("go"));
    this.pass = button("pass", "Pass", () => session.move("pass"));
    this.back = button("now", "Back to now", () => session.look(Infinity));
    this.on = button("continue", "Continue from here", onContinue, "Later moves can be played again with Redo");
    for (const main of [this.pass, this.go, this.on]) main.classList.add("primary");
    this.back.classList.add("quiet");
    this.opening = h("p", { class: "opening", "data-test": "opening" });
    // What the moment asks for has room of its own, so that nothing moves when it comes and goes.
    this.moment = h("div", { class: "moment" }, this.opening, h("div", { class: "buttons" }, this.now, this.go, this.pass, this.back, this.on));
    this.element = h("div", { class: "actions", role: "group", "aria-label": "Game" }, this.undo, this.redo, this.swap, this.resign);
  }

  show() {
    const { present: table, place, isNow } = this.session;
    const playing = !table.result && !place.over;
    this.opening.textContent = table.opening ?? "";
    this.undo.disabled = !table.can_undo;
    this.redo.disabled = table.future.length === 0;
    this.now.hidden = !isNow || !table.thinking || !table.can_stop;
    this.go.hidden = !(table.paused && playing && isNow && !this.session.seat.human);
    this.swap.disabled = !playing;
    this.pass.hidden = !(playing && place.legal[0] === "pass" && this.session.seat.human);
    this.back.hidden = this.on.hidden = isNow;
    this.resign.disabled = Boolean(table.result) || !(table.black.human || table.white.human);
    if (this.resign.disabled) this.resigning.calm();
  }

  #resign() {
    const { present: table } = this.session;
    const { turn } = table.plies[table.plies.length - 1];
    const side = table[turn].human ? turn : table.black.human ? "black" : "white";
    this.session.send("resign", { side });
  }
}
