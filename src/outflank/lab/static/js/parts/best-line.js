/** The best line from before a move; a click on one of its moves shows the board after it. */

import { h } from "../dom.js";

/** @import { ReviewedMove } from "../types.js" */

export class BestLine {
  #line = "";

  /** @param {(length: number) => void} onLook how many moves of the line are to be shown; 0: none any more */
  constructor(onLook) {
    this.onLook = onLook;
    this.moves = h("div", { class: "line line-moves", role: "group", "aria-label": "Best line" });
    this.element = h("div", { class: "best-line", "data-test": "best-line", hidden: true }, h("span", {}, "Best line"), this.moves);
  }

  /**
   * @param {ReviewedMove | null} move
   * @param {number} shown how many moves of its line are on the board
   */
  show(move, shown) {
    const line = move?.line ?? [];
    const words = `${move?.ply} ${line.join(" ")}`;
    if (words !== this.#line) this.#build(line, words);
    [...this.moves.children].forEach((button, index) => button.setAttribute("aria-pressed", String(index + 1 === shown)));
  }

  /** @param {string[]} line @param {string} words */
  #build(line, words) {
    this.#line = words;
    this.element.hidden = line.length === 0;
    this.moves.replaceChildren(
      ...line.map((move, index) =>
        h("button", { type: "button", class: "quiet line-move", title: "Show the board after this move", onclick: (event) => {
          this.onLook(event.currentTarget.getAttribute("aria-pressed") === "true" ? 0 : index + 1);
        } }, move)),
    );
  }
}
