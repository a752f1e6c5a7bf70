/** One square of the board: its disc, its marks, and what a screen reader says of it. */

import { svg } from "./dom.js";
import { nameOf } from "./squares.js";

export const SIZE = 100; // of a square, in the board's own units
/** @type {Object<string, string>} */
const DISCS = { "-": "empty", X: "black", O: "white" };

/**
 * What is drawn on a square besides its disc.
 *
 * @typedef {Object} Mark
 * @property {string} [text] a value
 * @property {string} [note] smaller, under it
 * @property {boolean} [best] drawn stronger
 * @property {number} [heat] 0..1, fills the square
 * @property {boolean} [better] a dashed ring: this move would have been better
 */

export class Cell {
  /** @param {number} index 0..63 */
  constructor(index) {
    this.square = nameOf(index);
    this.disc = "-";
    this.legal = false;
    this.last = false;
    /** @type {Mark | null} */
    this.mark = null;
    this.face = svg(
      "g", { class: "disc" },
      svg("circle", { class: "disc-edge", cx: 50, cy: 53, r: 40 }), ring("disc-face", 40), ring("disc-rim", 39),
      svg("circle", { class: "disc-light", cx: 50, cy: 50, r: 40, fill: "url(#disc-light)" }),
    );
    this.heat = svg("rect", { class: "heat", x: 2, y: 2, width: SIZE - 4, height: SIZE - 4 });
    this.text = label("value", 50, 51);
    this.note = label("note", 50, 81);
    this.element = svg(
      "g",
      {
        class: "cell",
        role: "gridcell",
        tabindex: -1,
        "data-square": this.square,
        "data-test": `square-${this.square}`,
        transform: `translate(${(index % 8) * SIZE} ${Math.floor(index / 8) * SIZE})`,
      },
      svg("rect", { class: "square", width: SIZE, height: SIZE }),
      this.heat,
      ring("target", 38),
      svg("path", { class: "cross", d: "M40 40 L60 60 M60 40 L40 60" }),
      ring("legal-dot", 8),
      ring("ghost", 38),
      this.face,
      ring("flip-mark", 13),
      ring("last", 7),
      ring("better", 40),
      svg("rect", { class: "best", x: 5, y: 5, width: SIZE - 10, height: SIZE - 10, rx: 5 }),
      this.text,
      this.note,
      label("name", 12, 29, this.square),
      svg("rect", { class: "cursor", x: 4, y: 4, width: SIZE - 8, height: SIZE - 8, rx: 6 }),
    );
    this.face.addEventListener("animationend", () => this.#animate(null));
    this.#describe();
  }

  /**
   * @param {string} disc "-", "X" or "O"
   * @param {{legal: boolean, open: boolean, last: boolean, delay: number | null}} how
   *   open: whether whoever looks at the board may move now;
   *   delay: milliseconds until the disc turns; null: nothing moves
   */
  show(disc, { legal, open, last, delay }) {
    const before = this.disc;
    this.disc = disc;
    this.legal = legal;
    this.last = last;
    const classes = this.element.classList;
    classes.toggle("is-legal", legal);
    classes.toggle("is-playable", legal && open);
    classes.toggle("is-last", last);
    classes.remove("is-wrong", "is-previewed", "will-flip");
    this.element.dataset.disc = DISCS[disc];
    this.#describe();
    if (before === disc) return;
    if (delay === null || disc === "-") this.#animate(null);
    else if (before === "-") this.#animate("placing", 0);
    else this.#animate(disc === "O" ? "turning-white" : "turning-black", delay);
  }

  /** @param {Mark | null} mark */
  setMark(mark) {
    this.mark = mark;
    this.text.textContent = mark?.text ?? "";
    this.note.textContent = mark?.note ?? "";
    this.text.setAttribute("y", mark?.note ? "46" : "51");
    this.heat.style.opacity = String(mark?.heat ? 0.15 + 0.75 * mark.heat : 0);
    this.element.classList.toggle("is-best", Boolean(mark?.best));
    this.element.classList.toggle("is-better", Boolean(mark?.better));
    this.#describe();
  }

  /** Say what the square is: "f5, empty, legal". */
  #describe() {
    const words = [this.square, DISCS[this.disc]];
    if (this.legal) words.push("legal");
    if (this.last) words.push("last move");
    if (this.mark?.text) words.push(`value ${this.mark.text}`);
    if (this.mark?.note) words.push(this.mark.note);
    this.element.setAttribute("aria-label", words.join(", "));
  }

  /** @param {string | null} name @param {number} [delay] */
  #animate(name, delay = 0) {
    const classes = this.face.classList;
    classes.remove("placing", "turning-white", "turning-black");
    if (name === null) return;
    this.face.getBoundingClientRect(); // so that an animation of the same name starts anew
    this.face.style.animationDelay = `${delay}ms`;
    classes.add(name);
  }
}

/** @param {string} name @param {number} radius */
function ring(name, radius) {
  return svg("circle", { class: name, cx: 50, cy: 50, r: radius });
}

/**
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {string} [text]
 */
function label(name, x, y, text = "") {
  return svg("text", { class: name, x, y, "aria-hidden": "true" }, text);
}
