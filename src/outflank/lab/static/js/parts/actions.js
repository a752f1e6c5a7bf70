/** The buttons of a game that is played: undo, redo, swap sides, move now, resign, new game. */

import { h } from "../dom.js";

const SURE = 4000; // milliseconds in which a second click resigns

export class Actions {
  #timer = 0;

  /**
   * @param {import("../session.js").Session} session
   * @param {() => void} onNew
   */
  constructor(session, onNew) {
    this.session = session;
    /** @type {(test: string, label: string, run: () => void, title?: string | null) => HTMLButtonElement} */
    const button = (test, label, run, title = null) =>
      h("button", { type: "button", "data-test": test, title, onclick: run }, label);
    this.undo = button("undo", "Undo", () => session.send("undo"), "Take back (u)");
    this.redo = button("redo", "Redo", () => session.send("redo"), "Play it again (r)");
    this.swap = button("swap", "Swap sides", () => session.send("swap"));
    this.now = button("move-now", "Move now", () => session.send("stop"), "The opponent stops thinking and moves");
    this.go = button("go", "Go on", () => session.send("go"));
    this.pass = button("pass", "Pass", () => session.move("pass"));
    this.resign = button("resign", "Resign", () => this.#resign());
    this.fresh = button("new-game", "New game", onNew, "New game (n)");
    this.pass.classList.add("primary");
    this.element = h(
      "div",
      { class: "buttons actions", role: "group", "aria-label": "Game" },
      this.pass, this.undo, this.redo, this.swap, this.now, this.go, this.resign, this.fresh,
    );
  }

  show() {
    const { present: table, place, isNow } = this.session;
    const playing = !table.result && !place.over;
    this.undo.disabled = !table.can_undo;
    this.redo.disabled = table.future.length === 0;
    this.now.hidden = !table.thinking || !table.can_stop;
    this.go.hidden = !(table.paused && playing && isNow && !this.session.seat.human);
    this.swap.disabled = !playing;
    this.pass.hidden = !(playing && place.legal[0] === "pass" && this.session.seat.human);
    this.resign.disabled = Boolean(table.result) || !(table.black.human || table.white.human);
    if (this.resign.disabled) this.#calm();
  }

  /** The first click asks, the second resigns. */
  #resign() {
    if (!this.resign.classList.contains("is-sure")) {
      this.resign.classList.add("is-sure");
      this.resign.textContent = "Really resign?";
      this.#timer = setTimeout(() => this.#calm(), SURE);
      return;
    }
    this.#calm();
    const { present: table } = this.session;
    const { turn } = table.plies[table.plies.length - 1];
    const side = table[turn].human ? turn : table.black.human ? "black" : "white";
    this.session.send("resign", { side });
  }

  #calm() {
    clearTimeout(this.#timer);
    this.resign.classList.remove("is-sure");
    this.resign.textContent = "Resign";
  }
}
