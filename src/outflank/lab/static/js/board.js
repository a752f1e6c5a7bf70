/** The board: an SVG grid that shows a position and takes moves by mouse, touch and keyboard. */

import { Cell, SIZE } from "./cell.js";
import { svg } from "./dom.js";
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
      svg("rect", {
        class: "frame", x: -MARGIN, y: -MARGIN, width: size + MARGIN + 12, height: size + MARGIN + 12, rx: 14,
      }),
      coordinates(),
      rowsOf(this.#cells),
      [2, 6].flatMap((x) => [2, 6].map((y) => svg("circle", { class: "dot", cx: x * SIZE, cy: y * SIZE, r: 6 }))),
    );
    this.element.addEventListener("click", (event) => this.#clicked(event));
    this.element.addEventListener("keydown", (event) => this.#pressed(event));
    this.#moveCursor(this.#cursor, false);
  }

  /**
   * Show a position.
   *
   * @param {Place} place
   * @param {{last?: string | null, animate?: boolean}} [how] last: the move that led to it
   */
  show(place, { last = null, animate = true } = {}) {
    const moves = animate && this.#place !== null && this.#place.board !== place.board;
    const origin = last && last !== "pass" ? indexOf(last) : null;
    this.#place = place;
    const legal = new Set(place.legal);
    const open = this.whyNot() === null;
    this.#cells.forEach((cell, index) => {
      const delay = origin === null ? 0 : STAGGER * distance(origin, index);
      cell.show(place.board[index], {
        legal: legal.has(cell.square),
        open,
        last: cell.square === last,
        delay: moves ? delay : null,
      });
    });
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
    this.#flash = setTimeout(() => this.element.classList.remove("flashes"), FLASH);
  }

  focus() {
    this.#cells[this.#cursor].element.focus();
  }

  /** @param {number} index */
  #choose(index) {
    const { square, legal } = this.#cells[index];
    const closed = this.whyNot();
    if (closed === null && legal) {
      this.onPlay(square);
      return;
    }
    if (closed === null) this.flashLegal();
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
    const element = event.target instanceof Element ? event.target.closest(".cell") : null;
    if (!(element instanceof SVGElement) || !element.dataset.square) return;
    const index = indexOf(element.dataset.square);
    this.#moveCursor(index, false);
    this.#choose(index);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
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
  }
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
