/** A list of players in their groups, with the options of the chosen one. */

import { h } from "../dom.js";
import { plain } from "../format.js";
import { field, numberField } from "./field.js";

/** @import { ListedPlayer, PlayerGroup } from "../types.js" */

/** @typedef {Omit<ListedPlayer, "values">} Choosable a player, or a person */

/** @type {Choosable} */
const HUMAN = { spec: "human", name: "A person at this screen", summary: "Two people, one board.", elo: null, interval: null, options: [] };


export class PlayerPicker {
  /** @type {Map<string, Choosable>} by spec */
  #players = new Map();
  /** @type {Map<string, {input: HTMLInputElement, usual: string}>} by name */
  #options = new Map();

  /** @param {{label: string, test: string, people?: boolean, onChange?: () => void}} options people: whether a person can be chosen */
  constructor({ label, test, people = false, onChange = () => {} }) {
    this.people = people;
    this.test = test;
    this.onChange = onChange;
    this.select = h("select", { "data-test": test, onchange: () => this.#chosen() });
    this.summary = h("p", { class: "summary" });
    this.fields = h("div", { class: "fields" });
    this.notice = h("p", { class: "error", "data-test": `${test}-notice` });
    this.element = h("div", { class: "picker" }, field(label, this.select), this.notice, this.summary, this.fields);
  }

  /**
   * @param {PlayerGroup[]} groups
   * @param {{base: string, options?: Object<string, string>} | null} [chosen]
   */
  fill(groups, chosen = null) {
    /** @type {{title: string, players: Choosable[], notice?: string | null}[]} */
    const shown = this.people ? [...groups, { title: "People", players: [HUMAN] }] : groups;
    this.#players = new Map(shown.flatMap((group) => group.players.map((player) => [player.spec, player])));
    this.select.replaceChildren(
      ...shown
        .filter((group) => group.players.length)
        .map((group) => h("optgroup", { label: group.title }, group.players.map(optionOf))),
    );
    this.notice.textContent = shown.map(({ notice }) => notice).filter(Boolean).join(" ");
    const known = chosen !== null && this.#players.has(chosen.base) ? chosen : null; // a run may be gone by now
    if (known) this.select.value = known.base;
    else this.select.selectedIndex = 0;
    this.#chosen(known?.options);
  }

  /** The spec of the chosen player, with its options. */
  get spec() {
    let spec = this.select.value;
    for (const [name, value] of Object.entries(this.chosen.options)) {
      spec += `${spec.includes(":") ? "," : ":"}${name}=${value}`;
    }
    return spec;
  }

  /**
   * What is chosen, as `fill` takes it. Options are left out only if all are as usual: a search that is given
   * seconds and no depth would look as far as it can.
   */
  get chosen() {
    const all = [...this.#options].map(([name, { input, usual }]) => ({ name, value: input.value, usual }));
    const isUsual = all.every(({ value, usual }) => value === "" || value === usual);
    const given = isUsual ? [] : all.filter(({ value }) => value !== "");
    return { base: this.select.value, options: Object.fromEntries(given.map(({ name, value }) => [name, value])) };
  }

  /** The chosen player's name for people, with its options: "patterns (depth 6, time 5)". */
  get name() {
    const name = this.#players.get(this.select.value)?.name ?? "";
    const options = Object.entries(this.chosen.options).map((pair) => pair.join(" "));
    return options.length ? `${name} (${options.join(", ")})` : name;
  }

  /** @param {Object<string, string>} [values] */
  #chosen(values = {}) {
    const player = this.#players.get(this.select.value);
    this.summary.textContent = player ? [player.summary, rating(player)].filter(Boolean).join(" ") : "";
    this.#options = new Map();
    this.fields.replaceChildren(
      ...(player?.options ?? []).map((option) => {
        const usual = option.default === null ? "" : String(option.default);
        const { input, element } = numberField(option.label, {
          test: `${this.test}-${option.name}`,
          value: values[option.name] ?? usual,
          least: option.least, most: option.most, step: option.step, help: option.help || null,
        });
        this.#options.set(option.name, { input, usual });
        return element;
      }),
    );
    this.onChange();
  }
}

/** @param {Choosable} player */
function optionOf(player) {
  const elo = player.elo === null ? "" : ` · Elo ${plain(player.elo)}`;
  return h("option", { value: player.spec }, player.name + elo);
}

/** @param {Choosable} player */
function rating({ elo, interval }) {
  if (elo === null) return "";
  const between = interval ? ` (${plain(interval[0])} to ${plain(interval[1])})` : "";
  return `Elo ${plain(elo)}${between} at the usual settings; random has 0.`;
}
