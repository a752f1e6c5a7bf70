/** The middle of the pages with a game: both seats, the board between them, words and steps below. */

import { Board } from "../board.js";
import { h } from "../dom.js";
import { say } from "../notices.js";
import { momentWords } from "../numbering.js";
import { capital, other } from "../squares.js";
import { narrate, passWords, status } from "./narrator.js";
import { SeatBar } from "./seat.js";
import { Stepper } from "./stepper.js";

/** @import { Place, Table, Side } from "../types.js" */

const BANNER = 2600; // milliseconds that a pass stays on the board
const WORDS = 4000; // milliseconds that an answer to a wrong click stays

export class Stage {
  #seats = [new SeatBar(), new SeatBar()];
  #banner = h("p", { class: "banner", "aria-hidden": "true", "data-test": "banner", hidden: true });
  #words = h("p", { class: "status", "data-test": "status" });
  #stepper = new Stepper();
  #bannerTimer = 0;
  #wordsTimer = 0;
  #permanent = "";

  /**
   * @param {Object} options
   * @param {(square: string) => void} [options.onPlay]
   * @param {() => (string | null)} [options.whyNot] why no move can be made at all now
   * @param {(HTMLElement | null)[]} [options.below] what stands under the board
   */
  constructor({ onPlay, whyNot, below = [] }) {
    this.board = new Board({ label: "Othello board", onPlay, whyNot, onRefuse: (words) => this.answer(words) });
    const [above, under] = this.#seats.map(({ element }) => element);
    this.element = h(
      "section",
      { class: below.length ? "stage has-graph" : "stage", "aria-label": "Board" },
      below.length ? h("div", { class: "seats" }, above, under) : above,
      h("div", { class: "board-box" }, this.board.element, this.#banner),
      below.length ? null : under,
      h("div", { class: "stage-foot" },
        h("div", { class: "steps", role: "group", "aria-label": "Step back" }, this.#stepper.back),
        this.#words,
        h("div", { class: "steps", role: "group", "aria-label": "Step on" }, this.#stepper.on)),
      below,
    );
  }

  close() {
    for (const seat of this.#seats) seat.close();
    clearTimeout(this.#bannerTimer);
    clearTimeout(this.#wordsTimer);
  }

  /** Bring the board into view, and let the keyboard begin there. */
  enter() {
    this.element.scrollIntoView({ block: "start" });
    this.board.focus();
  }

  /**
   * Show a position without a game.
   *
   * @param {Place} place
   * @param {string} [words]
   */
  preview(place, words = "") {
    for (const seat of this.#seats) seat.element.hidden = true;
    this.#stepper.idle = true;
    this.#hideBanner();
    this.board.show(place, { animate: false });
    this.board.mark({});
    this.#say(words);
  }

  /**
   * Show the game at the moment that is looked at.
   *
   * @param {import("../session.js").Session} session
   * @param {Table | null} before as it was, if the table changed
   */
  show(session, before) {
    const { present: table, isNow } = session;
    /** @type {Side} */
    const bottom = table.white.human && !table.black.human ? "white" : "black";
    const sides = this.element.classList.contains("has-graph") ? /** @type {Side[]} */ (["black", "white"]) : [other(bottom), bottom];
    sides.forEach((side, index) => {
      this.#seats[index].element.hidden = false;
      this.#seats[index].show(side, session);
    });
    this.#stepper.idle = false;
    this.#stepper.show(session);
    this.board.show(session.place, { last: session.lastMove, over: isNow && table.result !== null });
    if (before) {
      const words = narrate(before, table);
      if (words) say(words);
      const pass = passWords(before, table);
      if (pass) this.#announce(pass);
    }
    if (table.result || !isNow) this.#hideBanner();
    this.#say(isNow ? status(table) : `${capital(momentWords(table, session.ply))}.`);
  }

  /**
   * Show a position beside the game's own.
   *
   * @param {Place} place
   * @param {string} last the move that leads to it
   * @param {string} words
   */
  aside(place, last, words) {
    for (const seat of this.#seats) seat.showPlace(place);
    this.board.show(place, { last });
    this.#say(words);
    say(words);
  }

  /** Show and say why something cannot be done. @param {string} words */
  answer(words) {
    clearTimeout(this.#wordsTimer);
    this.#words.textContent = words;
    this.#words.classList.add("is-answer");
    say(words);
    this.#wordsTimer = setTimeout(() => this.#restore(), WORDS);
  }

  /** @param {string} words */
  #say(words) {
    if (words === this.#permanent && this.#words.classList.contains("is-answer")) return;
    this.#permanent = words;
    clearTimeout(this.#wordsTimer);
    this.#restore();
  }

  #restore() {
    this.#words.textContent = this.#permanent;
    this.#words.classList.remove("is-answer");
  }

  /** The live region says the same; this is for the eye. @param {string} words */
  #announce(words) {
    clearTimeout(this.#bannerTimer);
    this.#banner.textContent = words;
    this.#banner.hidden = false;
    this.#bannerTimer = setTimeout(() => this.#hideBanner(), BANNER);
  }

  #hideBanner() {
    this.#banner.hidden = true;
  }
}
