/** What each learned player would play, and with what probability. */

import { h } from "../dom.js";
import { percent, unitName, worth } from "../format.js";
import { icon } from "../icons.js";
import { heatMarks } from "../marks.js";
import { capital } from "../squares.js";
import { tableScroll } from "./table-scroll.js";

/** @import { ListedPlayer, PlayerGroup, Thought } from "../types.js" */

const LEARNED = ["imitation", "coevolution", "selfplay", "runs"]; // groups whose players learned
const MOST = 12; // players that are asked

export class Opinions {
  /** @type {ListedPlayer[]} */
  #players = [];
  /** @type {string | null} the spec whose heat map is on the board */
  #shown = null;

  /**
   * @param {import("../advice.js").Advice} advice
   * @param {() => void} changed another heat map is wanted
   */
  constructor(advice, changed) {
    this.advice = advice;
    this.changed = changed;
    this.body = h("tbody", {});
    this.empty = h("p", { class: "muted" }, "There is no learned player here yet.");
    this.table = h(
      "table",
      { class: "facts", "data-test": "opinions" },
      h("thead", {}, h("tr", {}, ["Player", "Plays", "How sure", "Board"].map((title) => h("th", { scope: "col" }, title)))),
      this.body,
    );
    this.element = h("section", { class: "card" }, h("h2", {}, "What learned players would play"), this.empty, tableScroll("What learned players would play", this.table));
    this.table.hidden = true;
  }

  /** @param {PlayerGroup[]} groups */
  setPlayers(groups) {
    this.#players = LEARNED.flatMap((id) => groups.find((group) => group.id === id)?.players ?? []).slice(0, MOST);
    this.empty.hidden = this.#players.length > 0;
    this.table.hidden = !this.empty.hidden;
    this.advice.want({ players: this.#players.map(({ spec }) => spec) });
    this.draw();
  }

  /** The name of the player whose heat map is on the board, if one is. */
  get shownName() {
    return this.#players.find(({ spec }) => spec === this.#shown)?.name ?? null;
  }

  /** The heat map of the chosen player. */
  get marks() {
    return heatMarks(this.#shown === null ? null : this.advice.opinions.get(this.#shown)?.thought ?? null);
  }

  draw() {
    const active = document.activeElement;
    const focused = active instanceof HTMLElement && this.body.contains(active) ? active.dataset.spec : null;
    this.body.replaceChildren(...this.#players.map((player) => this.#row(player)));
    if (focused) [...this.body.querySelectorAll("button")].find((button) => button.dataset.spec === focused)?.focus();
  }

  /** @param {ListedPlayer} player */
  #row({ spec, name }) {
    const opinion = this.advice.opinions.get(spec);
    const thought = opinion?.thought ?? null;
    const error = opinion?.error ?? null;
    const on = spec === this.#shown;
    if (error) return h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "error", colspan: 3 }, error));
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, name),
      h("td", {}, thought?.move ?? "…"),
      thought ? view(thought) : h("td", {}),
      h("td", {}, h("button", {
        type: "button", class: "quiet icon", "data-spec": spec, "aria-pressed": on ? "true" : "false",
        "aria-label": `Show the choices of ${name} on the board`, title: "Show on the board",
        onclick: () => {
          this.#shown = on ? null : spec;
          this.draw();
          this.changed();
        },
      }, icon("grid"))),
    );
  }
}

/** The probability of its move, its share of the visits, or else what it is worth. @param {Thought} thought */
function view(thought) {
  if (thought.visits) return h("td", { class: "number", title: visitWords(thought.visits) }, `${percent(shareOf(thought.visits, thought.move))} of visits`);
  const number = thought.values[thought.move];
  if (thought.kind === "probabilities" && number !== undefined) return h("td", { class: "number" }, `${percent(number)} sure`);
  if (thought.value === null) return h("td", {});
  return h("td", { class: "number", title: capital(unitName(thought.unit)) }, `worth ${worth(thought.value, thought.unit, thought.exact)}`);
}

/** @param {Object<string, number>} visits @param {string} move */
function shareOf(visits, move) {
  const all = Object.values(visits).reduce((sum, number) => sum + number, 0);
  return all > 0 ? (visits[move] ?? 0) / all : 0;
}

/** "f5 61, d3 52". @param {Object<string, number>} visits */
function visitWords(visits) {
  return Object.entries(visits).sort((a, b) => b[1] - a[1]).map(([move, number]) => `${move} ${number}`).join(", ");
}
