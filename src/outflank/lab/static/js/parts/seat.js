/** A player's bar beside the board: disc, name, what it does now, discs, clock. */

import { h } from "../dom.js";
import { clock } from "../format.js";
import { isYou, nameOf } from "./narrator.js";

/** @import { Side } from "../types.js" */

const LOW = 20; // seconds left, from which on the clock is shown as urgent

export class SeatBar {
  #timer = 0;
  /** @type {Side} */
  side = "black";

  constructor() {
    this.disc = h("span", { class: "seat-disc", "aria-hidden": "true" });
    this.name = h("span", { class: "seat-name" });
    this.state = h("span", { class: "seat-state" });
    this.discs = h("span", { class: "seat-discs" });
    this.clock = h("span", { class: "seat-clock", role: "timer", "aria-live": "off" });
    this.element = h(
      "div",
      { class: "seat" },
      this.disc,
      h("span", { class: "seat-who" }, this.name, this.state),
      this.clock,
      this.discs,
    );
  }

  /**
   * @param {Side} side
   * @param {import("../session.js").Session} session
   */
  show(side, session) {
    const { present: table, place, isNow } = session;
    this.side = side;
    this.element.dataset.side = side;
    this.element.dataset.test = `seat-${side}`;
    this.name.textContent = isYou(table, side) ? "You" : nameOf(table, side);
    this.state.textContent = table.thinking === side ? "thinking…" : "";
    this.showPlace(place);
    if (isNow && table.result) this.element.classList.remove("is-turn");
    this.element.classList.toggle("is-winner", isNow && table.result?.winner === side);
    this.#tick(side, session);
  }

  /** Show how many discs the side has, and whether it is to move. @param {import("../types.js").Place} place */
  showPlace(place) {
    this.element.classList.toggle("is-turn", !place.over && place.turn === this.side);
    this.discs.textContent = String(place[this.side]);
    this.discs.setAttribute("aria-label", `${place[this.side]} ${this.side} discs`);
  }

  close() {
    clearTimeout(this.#timer);
  }

  /**
   * Write the time, and again as long as the clock runs.
   *
   * @param {Side} side
   * @param {import("../session.js").Session} session
   */
  #tick(side, session) {
    clearTimeout(this.#timer);
    const { table, received } = session;
    if (!table) return;
    const { limit, running } = table.clock;
    const runs = running === side && !table.result;
    this.clock.hidden = limit === null && table.clock[side] < 0.05 && !runs;
    const used = table.clock[side] + (runs ? (performance.now() - received) / 1000 : 0);
    const shown = limit === null ? used : limit - used;
    this.clock.textContent = clock(shown, limit !== null);
    this.clock.classList.toggle("is-low", limit !== null && shown < LOW);
    this.clock.title = limit === null ? "time used" : "time left";
    if (runs) this.#timer = setTimeout(() => this.#tick(side, session), limit !== null && shown < 10 ? 100 : 250);
  }
}
