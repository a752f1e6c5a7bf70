/** How a game ended, and what one may want to do next. */

import { fill, h } from "../dom.js";
import { icon } from "../icons.js";
import { link } from "../router.js";
import { capital } from "../squares.js";
import { ending, isYou, nameOf } from "./narrator.js";

/** @import { Side, Table } from "../types.js" */

export class ResultCard {
  #shown = ""; // the game and its result

  /** @param {{onRematch: (you: Side | null) => void, onShare: () => void, onNew: () => void}} options you: the side that the person plays next */
  constructor({ onRematch, onShare, onNew }) {
    this.onRematch = onRematch;
    this.onShare = onShare;
    this.onNew = onNew;
    this.element = h("section", { class: "card result", "data-test": "result", hidden: true });
  }

  /** @param {Table} table */
  show(table) {
    const { result } = table;
    this.element.hidden = result === null;
    const key = JSON.stringify([table.id, result, table.black, table.white]);
    if (!result || key === this.#shown) return;
    this.#shown = key;
    const you = isYou(table, "black") ? "black" : isYou(table, "white") ? "white" : null;
    /** @type {Side | null} */
    const next = you === null ? null : you === "black" ? "white" : "black"; // players change colours
    const black = 32 + result.score / 2;
    const why = result.winner && you ? (result.winner === you ? "Well played." : "The review shows where it slipped away.") : "";
    fill(
      this.element,
      h("h2", {}, ending(table, result)),
      h("p", { class: "muted" }, why),
      result.reason === "board" ? scoreBar(table, black) : null,
      h("div", { class: "buttons" },
        h("a", { class: "button primary", href: link("review", table.id), "data-test": "review-mistakes" }, icon("review"), you ? "Review your mistakes" : "Review the game"),
        h("button", { type: "button", "data-test": "rematch", onclick: () => this.onRematch(next) }, icon("restart"), next ? `Rematch as ${capital(next)}` : "Rematch"),
        h("button", { type: "button", class: "quiet", "data-test": "share-result", onclick: this.onShare }, icon("share"), "Share"),
        h("button", { type: "button", class: "quiet", "data-test": "other-opponent", onclick: this.onNew }, icon("plus"), "New game")),
    );
  }
}

/** Both sides' discs as a bar. @param {Table} table @param {number} black */
function scoreBar(table, black) {
  const part = (/** @type {Side} */ side, /** @type {number} */ number) => {
    const node = h("span", { class: `share share-${side}` }, number >= 8 ? String(number) : "");
    node.style.flexGrow = String(number);
    return node;
  };
  const words = `${nameOf(table, "black")} ${black}, ${nameOf(table, "white")} ${64 - black}`;
  return h("span", { class: "shares", role: "img", "aria-label": words }, part("black", black), part("white", 64 - black));
}
