/** What the marks on the board mean: only those that are in use. */

import { fill, h, svg } from "../dom.js";

/** @type {Object<string, (words: string) => [SVGElement[], string]>} what is drawn, and what it means */
const MARKS = {
  legal: () => [[dot("legal-dot", 3)], "a legal move"],
  last: () => [[dot("legend-disc", 8), dot("last", 3)], "the last move"],
  better: (move) => [[dot("better", 7.5)], `better than ${move || "the last move"}`],
  value: (unit) => [[text("+2")], unit || "what each next move is worth"],
  best: () => [[frame("best")], "the best next move"],
  heat: (who) => [[frame("heat")], `what ${who || "the chosen player"} would play next; the stronger, the likelier`],
};

export class Legend {
  #key = "";

  constructor() {
    this.element = h("ul", { class: "legend", "aria-label": "Legend", "data-test": "legend" });
  }

  /** @param {Object<string, string | false | null>} marks by name, with a word if it needs one; false, null: not in use */
  show(marks) {
    const key = JSON.stringify(marks);
    if (key === this.#key) return;
    this.#key = key;
    const used = Object.entries(marks).filter(([, words]) => words !== false && words !== null);
    this.element.hidden = !used.length;
    fill(this.element, used.map(([name, words]) => {
      const [drawing, meaning] = MARKS[name](words || "");
      return h("li", { "data-mark": name },
        svg("svg", { class: "legend-mark", viewBox: "0 0 22 22", width: 22, height: 22, "aria-hidden": "true" },
          svg("rect", { class: "square", width: 22, height: 22, rx: 4 }), drawing),
        meaning);
    }));
  }
}

/** @param {string} name @param {number} r */
function dot(name, r) {
  return svg("circle", { class: name, cx: 11, cy: 11, r });
}

/** @param {string} name */
function frame(name) {
  return svg("rect", { class: name, x: 2.5, y: 2.5, width: 17, height: 17, rx: 2.5 });
}

/** @param {string} words */
function text(words) {
  return svg("text", { class: "legend-value", x: 11, y: 15, "text-anchor": "middle" }, words);
}
