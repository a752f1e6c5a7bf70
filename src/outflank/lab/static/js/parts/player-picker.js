/** A list of players in their groups, what the chosen one is like, and its options. */

import { fill, h } from "../dom.js";
import { plain } from "../format.js";
import { icon } from "../icons.js";
import { openDialog } from "./dialog.js";
import { field, numberField } from "./field.js";

/** @import { ListedPlayer, PlayerGroup } from "../types.js" */

/** @typedef {Omit<ListedPlayer, "values">} Choosable a player, or a person */
/** @typedef {{title: string, about: string, players: Choosable[], notice?: string | null}} Group */

/** @type {Choosable} */
const HUMAN = { spec: "human", name: "A second person", summary: "You take turns at this screen.", elo: null, interval: null, handicap: false, options: [] };
/** @type {Group} */
const PEOPLE = { title: "Two people", about: "Two people play each other at this screen.", players: [HUMAN] };

export class PlayerPicker {
  /** @type {Group[]} */
  #groups = [];
  /** @type {Map<string, {input: HTMLInputElement, usual: string}>} by name */
  #options = new Map();

  /**
   * @param {Object} options
   * @param {string} options.label
   * @param {string} options.test
   * @param {boolean} [options.people] whether a person can be chosen
   * @param {() => void} [options.onChange]
   * @param {HTMLElement[]} [options.more] stands with the options of the player under "Advanced"
   */
  constructor({ label, test, people = false, onChange = () => {}, more = [] }) {
    this.people = people;
    this.test = test;
    this.label = label;
    this.onChange = onChange;
    this.select = h("select", { "data-test": test, onchange: () => this.#chosen() });
    this.about = h("div", { class: "about-player", "data-test": `${test}-about` });
    this.fields = h("div", { class: "fields" });
    this.advanced = h("details", { class: "advanced", "data-test": `${test}-advanced` }, h("summary", {}, "Advanced"), this.fields, more);
    this.notice = h("p", { class: "error", "data-test": `${test}-notice` });
    this.element = h(
      "div",
      { class: "picker" },
      h("div", { class: "with-button" }, field(label, this.select),
        h("button", { type: "button", class: "quiet icon", "data-test": `${test}-compare`, "aria-label": `${label}: compare all players`, title: "Compare all players",
          onclick: () => this.#compare() }, icon("grid"))),
      this.notice, this.about,
    );
    this.keepsAdvanced = more.length > 0;
  }

  /**
   * @param {PlayerGroup[]} groups
   * @param {{base: string, options?: Object<string, string>} | null} [chosen]
   */
  fill(groups, chosen = null) {
    this.#groups = (this.people ? [...groups, PEOPLE] : groups).filter((group) => group.players.length);
    this.select.replaceChildren(...this.#groups.map((group) => h("optgroup", { label: group.title }, group.players.map(optionOf))));
    this.notice.textContent = groups.map(({ notice }) => notice).filter(Boolean).join(" ");
    const known = chosen !== null && this.#find(chosen.base) ? chosen : null; // a run may be gone by now
    if (known) this.select.value = known.base;
    else this.select.selectedIndex = 0;
    this.#chosen(known?.options);
  }

  /** @param {string} spec */
  #find(spec) {
    for (const group of this.#groups) {
      const player = group.players.find((one) => one.spec === spec);
      if (player) return { group, player };
    }
    return null;
  }

  /** The chosen player, if the list is there. */
  get player() {
    return this.#find(this.select.value)?.player ?? null;
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
    const options = Object.entries(this.chosen.options).map((pair) => pair.join(" "));
    const name = this.player?.name ?? "";
    return options.length ? `${name} (${options.join(", ")})` : name;
  }

  /** @param {Object<string, string>} [values] */
  #chosen(values = {}) {
    const { group = null, player = null } = this.#find(this.select.value) ?? {};
    fill(
      this.about,
      player ? h("p", {}, player.summary) : null,
      player && player.elo !== null ? h("p", { class: "elo", title: "A random player has 0" }, rating(player)) : null,
      group ? h("p", { class: "muted" }, group.about) : null,
    );
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
    this.advanced.hidden = !this.keepsAdvanced && this.#options.size === 0;
    this.onChange();
  }

  /** All players side by side, each group with its sentence. */
  #compare() {
    const choose = (/** @type {string} */ spec) => {
      this.select.value = spec;
      this.#chosen();
      dialog.close();
      this.select.focus();
    };
    const dialog = openDialog(
      this.label,
      this.#groups.map((group) =>
        h("section", { class: "compare" },
          h("h3", {}, group.title),
          h("p", { class: "muted" }, group.about),
          h("ul", {}, group.players.map((player) =>
            h("li", {}, h("button", { type: "button", class: "choose", "data-spec": player.spec, "aria-current": player.spec === this.select.value ? "true" : null, onclick: () => choose(player.spec) },
              h("b", {}, player.name), h("span", { class: "choose-elo" }, player.elo === null ? "" : `Elo ${plain(player.elo)}`), h("small", {}, player.summary))))))),
    );
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
  return `Elo ${plain(elo)}${interval ? ` (95% interval ${plain(interval[0])} to ${plain(interval[1])})` : ""}`;
}
