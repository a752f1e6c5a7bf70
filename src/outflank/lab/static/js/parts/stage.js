/** The middle of the pages with a game: both seats, the board between them, and a line of words. */

import { Board } from "../board.js";
import { h } from "../dom.js";
import { say } from "../notices.js";
import { other } from "../squares.js";
import { narrate, passWords, status } from "./narrator.js";
import { SeatBar } from "./seat.js";

/** @import { Place, Table, Side } from "../types.js" */

const BANNER = 2600; // milliseconds that a pass stays on the board
const WORDS = 4000; // milliseconds that an answer to a wrong click stays

export class Stage {
  #seats = [new SeatBar(), new SeatBar()];
  #banner = h("p", { class: "banner", "aria-hidden": "true", "data-test": "banner", hidden: true });
  #words = h("p", { class: "status", "data-test": "status" });
  #bannerTimer = 0;
  #wordsTimer = 0;
  #permanent = "";

  /** @param {{onPlay?: (square: string) => void, whyNot?: () => (string | null)}} options */
  constructor({ onPlay, whyNot }) {
    this.board = new Board({ label: "Othello board", onPlay, whyNot, onRefuse: (words) => this.answer(words) });
    this.element = h(
      "section",
      { class: "stage", "aria-label": "Board" },
      this.#seats[0].element,
      h("div", { class: "board-box" }, this.board.element, this.#banner),
      this.#seats[1].element,
      this.#words,
    );
  }

  close() {
    for (const seat of this.#seats) seat.close();
    clearTimeout(this.#bannerTimer);
    clearTimeout(this.#wordsTimer);
  }

  /**
   * Show a position without a game.
   *
   * @param {Place} place
   * @param {string} [words]
   */
  preview(place, words = "") {
    for (const seat of this.#seats) seat.element.hidden = true;
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
    const { present: table } = session;
    /** @type {Side} */
    const bottom = table.white.human && !table.black.human ? "white" : "black";
    [other(bottom), bottom].forEach((side, index) => {
      this.#seats[index].element.hidden = false;
      this.#seats[index].show(side, session);
    });
    this.board.show(session.place, { last: session.lastMove });
    if (before) {
      const words = narrate(before, table);
      if (words) say(words);
      const pass = passWords(before, table);
      if (pass) this.#announce(pass);
    }
    this.#say(session.isNow ? status(table) : `Looking at move ${session.ply} of ${table.moves.length}.`);
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
    this.#bannerTimer = setTimeout(() => {
      this.#banner.hidden = true;
    }, BANNER);
  }
}
