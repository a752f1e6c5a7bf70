/** The board: an SVG grid that shows a position and takes moves by mouse, touch and keyboard. */

import { Cell, SIZE } from "./cell.js";
import { svg } from "./dom.js";
import { flips } from "./flips.js";
import { usesKeys } from "./input-mode.js";
import { capital, indexOf, SQUARES } from "./squares.js";

/** @import { Place } from "./types.js" */

const MARGIN = 38; // for the coordinates
const STAGGER = 45; // milliseconds by which a disc turns later than its neighbour
const FLASH = 900; // milliseconds

/** @type {Object<string, [number, number]>} */
const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export class Board {
  #cells = SQUARES.map((_, index) => new Cell(index));
  /** @type {Place | null} */
  #place = null;
  #cursor = indexOf("d4");
  #flash = 0;
  /** @type {number | null} the square under the pointer */
  #pointed = null;

  /**
   * @param {Object} options
   * @param {string} options.label for screen readers
   * @param {(square: string) => void} [options.onPlay] a legal square was chosen
   * @param {(words: string) => void} [options.onRefuse] another one was, and why it cannot be
   * @param {() => (string | null)} [options.whyNot] why no move can be made at all now
   */
  constructor({ label, onPlay = () => {}, onRefuse = () => {}, whyNot = () => null }) {
    this.onPlay = onPlay;
    this.onRefuse = onRefuse;
    this.whyNot = whyNot;
    const size = 8 * SIZE;
    this.element = svg(
      "svg",
      {
        class: "board",
        viewBox: `${-MARGIN} ${-MARGIN} ${size + MARGIN + 12} ${size + MARGIN + 12}`,
        role: "grid",
        "aria-label": label,
        "data-test": "board",
      },
      svg("defs", {}, light()),
      svg("rect", {
        class: "frame", x: -MARGIN, y: -MARGIN, width: size + MARGIN + 12, height: size + MARGIN + 12, rx: 14,
      }),
      coordinates(),
      rowsOf(this.#cells),
      [2, 6].flatMap((x) => [2, 6].map((y) => svg("circle", { class: "dot", cx: x * SIZE, cy: y * SIZE, r: 6 }))),
    );
    this.element.addEventListener("click", (event) => this.#clicked(event));
    this.element.addEventListener("keydown", (event) => this.#pressed(event));
    this.element.addEventListener("pointerdown", () => this.#useKeys(false));
    this.element.addEventListener("focusin", () => this.#useKeys(usesKeys()));
    this.element.addEventListener("focusout", () => this.#useKeys(false));
    this.element.addEventListener("pointerover", (event) => this.#point(event.pointerType === "mouse" ? cellAt(event) : null));
    this.element.addEventListener("pointerleave", () => this.#point(null));
    this.#moveCursor(this.#cursor, false);
  }

  /**
   * Show a position.
   *
   * @param {Place} place
   * @param {{last?: string | null, animate?: boolean, over?: boolean}} [how]
   *   last: the move that led to it; over: the game ended here, whatever moves there would be
   */
  show(place, { last = null, animate = true, over = false } = {}) {
    const moves = animate && this.#place !== null && this.#place.board !== place.board;
    const origin = last && last !== "pass" ? indexOf(last) : null;
    this.#place = place;
    const legal = new Set(over ? [] : place.legal);
    const open = !over && this.whyNot() === null;
    this.element.classList.toggle("takes-moves", open);
    this.element.dataset.turn = place.turn;
    this.#cells.forEach((cell, index) => {
      const delay = origin === null ? 0 : STAGGER * distance(origin, index);
      cell.show(place.board[index], {
        legal: legal.has(cell.square),
        open,
        last: cell.square === last,
        delay: moves ? delay : null,
      });
    });
    this.#preview();
  }

  /** Draw values, heat and the like. @param {Object<string, import("./cell.js").Mark>} marks by square */
  mark(marks) {
    for (const cell of this.#cells) cell.setMark(marks[cell.square] ?? null);
  }

  /** Show all legal moves, or only the one under the pointer. @param {boolean} on */
  set showsLegal(on) {
    this.element.classList.toggle("shows-legal", on);
  }

  /** Light up the legal squares for a moment. */
  flashLegal() {
    clearTimeout(this.#flash);
    this.element.classList.remove("flashes");
    this.element.getBoundingClientRect(); // so that a second flash starts anew
    this.element.classList.add("flashes");
    for (const { element } of this.#cells) element.classList.remove("is-wrong");
    this.#flash = setTimeout(() => {
      this.element.classList.remove("flashes");
      for (const { element } of this.#cells) element.classList.remove("is-wrong");
    }, FLASH);
  }

  focus() {
    this.#cells[this.#cursor].element.focus({ preventScroll: true });
    this.#useKeys(usesKeys()); // also if it had the focus already
  }

  /** @param {number} index */
  #choose(index) {
    const { square, legal } = this.#cells[index];
    const closed = this.whyNot();
    if (closed === null && legal) {
      this.onPlay(square);
      return;
    }
    if (closed === null) {
      this.flashLegal();
      if (this.#cells[index].disc === "-") this.#cells[index].element.classList.add("is-wrong");
    }
    this.onRefuse(closed ?? this.#reason(index));
  }

  /** @param {number} index */
  #reason(index) {
    const { square, disc } = this.#cells[index];
    const place = this.#place;
    if (!place) return "There is no game yet.";
    if (place.over) return "The game is over.";
    if (disc !== "-") return `${square} is taken.`;
    if (place.legal[0] === "pass") return `${capital(place.turn)} has no legal move and must pass.`;
    return `${square} flips nothing.`;
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const index = cellAt(event);
    if (index === null) return;
    this.#moveCursor(index, false);
    this.#choose(index);
  }

  /** The arrow keys move the cursor where keys led to the board; elsewhere they step through the game. @param {boolean} on */
  #useKeys(on) {
    this.element.classList.toggle("by-keys", on);
    this.#preview();
  }

  get #byKeys() {
    return this.element.classList.contains("by-keys");
  }

  /** @param {number | null} index */
  #point(index) {
    if (index === this.#pointed) return;
    this.#pointed = index;
    this.#preview();
  }

  /** Show which discs the move under the pointer, or else under the cursor, would flip. */
  #preview() {
    for (const { element } of this.#cells) element.classList.remove("is-previewed", "will-flip");
    const index = this.#pointed ?? (this.#byKeys ? this.#cursor : null);
    if (index === null || !this.#place || !this.#cells[index].legal || this.whyNot() !== null) return;
    this.#cells[index].element.classList.add("is-previewed");
    for (const flipped of flips(this.#place.board, index, this.#place.turn)) this.#cells[flipped].element.classList.add("will-flip");
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.#byKeys) {
      if (event.key !== "Enter") return;
      event.preventDefault();
      this.#useKeys(true); // shows the cursor; the next one plays
      return;
    }
    const [x, y] = [this.#cursor % 8, Math.floor(this.#cursor / 8)];
    if (event.key in STEPS) {
      const [across, down] = STEPS[event.key];
      this.#moveCursor(clamp(x + across) + 8 * clamp(y + down), true);
    } else if (event.key === "Home") this.#moveCursor(8 * y, true);
    else if (event.key === "End") this.#moveCursor(8 * y + 7, true);
    else if (event.key === "Enter" || event.key === " ") this.#choose(this.#cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Only the square of the cursor can be reached with the tab key.
   *
   * @param {number} index
   * @param {boolean} focus
   */
  #moveCursor(index, focus) {
    this.#cells[this.#cursor].element.setAttribute("tabindex", "-1");
    this.#cursor = index;
    const { element } = this.#cells[index];
    element.setAttribute("tabindex", "0");
    if (focus) element.focus();
    this.#preview();
  }
}

/** The square that an event happened on. @param {Event} event */
function cellAt({ target }) {
  const element = target instanceof Element ? target.closest(".cell") : null;
  return element instanceof SVGElement && element.dataset.square ? indexOf(element.dataset.square) : null;
}

/** What gives discs a little depth: light from the upper left, shade at the lower edge. */
function light() {
  return svg("radialGradient", { id: "disc-light", cx: 0.36, cy: 0.3, r: 0.78 },
    svg("stop", { offset: 0, "stop-color": "#ffffff", "stop-opacity": 0.2 }),
    svg("stop", { offset: 0.55, "stop-color": "#ffffff", "stop-opacity": 0.04 }),
    svg("stop", { offset: 0.75, "stop-color": "#000000", "stop-opacity": 0 }),
    svg("stop", { offset: 1, "stop-color": "#000000", "stop-opacity": 0.26 }));
}

/** @param {Cell[]} cells */
function rowsOf(cells) {
  return Array.from({ length: 8 }, (_, row) =>
    svg("g", { role: "row", "aria-rowindex": row + 1 }, cells.slice(8 * row, 8 * row + 8).map((cell) => cell.element)),
  );
}

function coordinates() {
  /** @type {(x: number, y: number, words: string) => SVGTextElement} */
  const text = (x, y, words) => svg("text", { class: "coordinate", x, y, "aria-hidden": "true" }, words);
  return Array.from({ length: 8 }, (_, index) => [
    text((index + 0.5) * SIZE, -MARGIN / 2, "abcdefgh"[index]),
    text(-MARGIN / 2, (index + 0.5) * SIZE, String(index + 1)),
  ]);
}

/** @param {number} a @param {number} b */
function distance(a, b) {
  return Math.max(Math.abs((a % 8) - (b % 8)), Math.abs(Math.floor(a / 8) - Math.floor(b / 8)));
}

/** @param {number} coordinate */
function clamp(coordinate) {
  return Math.min(7, Math.max(0, coordinate));
}
