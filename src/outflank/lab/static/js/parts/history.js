/** The moves of a game in two columns; a click shows the moment after a move. */

import { h } from "../dom.js";
import { numberOf } from "../numbering.js";

/** @import { Table } from "../types.js" */

/** @typedef {{text: string, symbol?: string, tone?: string, title?: string}} Note beside a move */

export class History {
  #key = "";

  /** @param {(ply: number) => void} onLook */
  constructor(onLook) {
    this.onLook = onLook;
    this.ply = 0;
    this.length = 0;
    this.list = h("ol", { class: "moves", "data-test": "history", "aria-label": "Moves" });
    this.scroll = h("div", { class: "moves-scroll" }, this.list);
    this.element = h(
      "div",
      { class: "history" },
      h("div", { class: "moves-head", "aria-hidden": "true" }, h("span", { class: "of-black" }, "Black"), h("span", { class: "of-white" }, "White")),
      this.scroll,
    );
    this.list.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /**
   * @param {import("../session.js").Session} session
   * @param {Object<number, Note | undefined>} [notes] by ply, from 1
   */
  show(session, notes = {}) {
    const { present: table, ply } = session;
    this.ply = ply;
    this.length = table.moves.length;
    const key = JSON.stringify([table.id, table.moves, table.future, table.plies[0].turn, notes]);
    if (key !== this.#key) {
      this.#key = key;
      this.#build(table, notes);
    }
    for (const button of this.list.querySelectorAll("button")) {
      if (Number(button.dataset.ply) === ply) {
        button.setAttribute("aria-current", "step");
        this.#reveal(button);
      } else button.removeAttribute("aria-current");
    }
  }

  /** @param {Table} table @param {Object<number, Note | undefined>} notes */
  #build(table, notes) {
    const focused = focusedPly();
    const all = [...table.moves, ...table.future];
    const offset = table.plies[0].turn === "white" ? 1 : 0; // white's first move is in white's column
    /** @type {HTMLElement[]} */
    const cells = Array.from({ length: offset }, () => h("span", { class: "move" }, "…"));
    let number = numberOf(table.plies[0]);
    all.forEach((move, index) => {
      const side = (index + offset) % 2 ? "White" : "Black";
      if (move !== "pass") number += 1;
      const written = move === "pass" ? null : number; // a pass has no number
      cells.push(index < table.moves.length ? this.#move(move, written, index + 1, side, notes[index + 1]) : later(move, written));
    });
    const rows = [h("li", { class: "moves-start" }, this.#button(0, "Start"))];
    for (let first = 0; first < cells.length; first += 2) {
      rows.push(h("li", {}, cells.slice(first, first + 2)));
    }
    this.list.replaceChildren(...rows);
    if (focused) this.#find(`button[data-ply="${focused}"]`)?.focus();
  }

  /**
   * @param {string} move
   * @param {number | null} number none for a pass
   * @param {number} ply
   * @param {string} side
   * @param {Note} [note]
   */
  #move(move, number, ply, side, note) {
    const button = this.#button(ply, move);
    button.prepend(numeral(number), unseen(`${number === null ? "" : ", "}${side} `));
    button.classList.toggle("is-pass", move === "pass");
    if (note) {
      if (note.title) button.title = note.title;
      button.append(
        h("span", { class: `move-note ${note.tone ?? ""}` }, note.symbol ? h("b", {}, note.symbol) : null, note.text),
        ...(note.title ? [unseen(`, ${note.title}`)] : []),
      );
    }
    return button;
  }

  /**
   * @param {number} ply
   * @param {string} text
   */
  #button(ply, text) {
    return h(
      "button",
      { type: "button", class: "move", "data-ply": ply, onclick: () => this.onLook(ply) },
      h("span", { class: "move-name" }, text),
    );
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    /** @type {Object<string, number>} */
    const targets = { ArrowLeft: this.ply - 1, ArrowRight: this.ply + 1, ArrowUp: this.ply - 2, ArrowDown: this.ply + 2,
      Home: 0, End: this.length };
    const target = targets[event.key];
    if (target === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.onLook(target);
    this.#find("[aria-current]")?.focus({ preventScroll: true });
  }

  /** @param {string} selector @returns {HTMLElement | null} */
  #find(selector) {
    return this.list.querySelector(selector);
  }

  /** Scroll the list, and never the page. @param {HTMLElement} button */
  #reveal(button) {
    const row = button.closest("li");
    if (!row) return;
    const { scrollTop, clientHeight } = this.scroll;
    const top = row.offsetTop; // within the scrolled box, which is positioned
    if (top < scrollTop) this.scroll.scrollTop = top;
    else if (top + row.offsetHeight > scrollTop + clientHeight) {
      this.scroll.scrollTop = top + row.offsetHeight - clientHeight;
    }
  }
}

/** The ply of the button of the list that has the focus, if one has it. */
function focusedPly() {
  const button = document.activeElement?.closest(".moves button");
  return button instanceof HTMLElement ? button.dataset.ply : undefined;
}

/** @param {string} move @param {number | null} number */
function later(move, number) {
  return h("span", { class: "move is-later", title: "Taken back; redo plays it again" }, numeral(number), h("span", { class: "move-name" }, move));
}

/** @param {number | null} number */
function numeral(number) {
  return h("span", { class: "move-number" }, number ?? "");
}

/** Words for screen readers. @param {string} words */
function unseen(words) {
  return h("span", { class: "visually-hidden" }, words);
}
