/** The form that starts a tournament. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { several } from "../format.js";
import { icon } from "../icons.js";
import { attempt, complain, toast } from "../notices.js";
import { check, numberField } from "./field.js";
import { PlayerPicker } from "./player-picker.js";

/** @import { BegunTournament, PlayerGroup } from "../types.js" */

export class TournamentForm {
  /** @type {{spec: string, name: string}[]} */
  #players = [];

  /** @param {(tournament: BegunTournament) => void} onStart */
  constructor(onStart) {
    this.onStart = onStart;
    this.picker = new PlayerPicker({ label: "Player", test: "tournament-player" });
    this.chips = h("ul", { class: "chips", "aria-label": "Chosen players", "data-test": "chosen-players" });
    this.games = numberField("Games per pair", { test: "tournament-games", least: 2, most: 1000, step: 2, value: 20, help: "An even number: both play both colours." });
    this.plies = numberField("Opening moves", { test: "tournament-plies", least: 0, most: 20, step: 1, value: 6, help: "Played at random before each game." });
    this.seed = numberField("Seed", {
      test: "tournament-seed", least: 0, most: 2 ** 31 - 1, step: 1, value: 0,
      help: "Another number gives other openings.",
    });
    this.warning = h("p", { class: "warning", "data-test": "tournament-warning", hidden: true },
      "Without opening moves all games start alike, and most players would repeat the same two games.");
    this.gauntlet = check("Only the first player against all others", { test: "gauntlet", onChange: () => this.#draw() });
    this.words = h("p", { class: "muted" });
    this.button = h("button", { type: "submit", class: "primary", "data-test": "start-tournament" }, "Start the tournament");
    this.element = h(
      "form",
      { class: "card", onsubmit: (event) => this.#submit(event) },
      h("h2", {}, "Start a tournament"),
      this.picker.element,
      this.picker.advanced,
      h("div", { class: "buttons" }, h("button", { type: "button", "data-test": "add-player", onclick: () => this.#add() }, icon("plus"), "Add this player")),
      this.chips,
      this.games.element,
      h("details", { class: "advanced", "data-test": "tournament-advanced" }, h("summary", {}, "Openings and pairings"),
        h("div", { class: "fields" }, this.plies.element, this.seed.element), this.gauntlet.element),
      this.warning,
      this.words,
      h("div", { class: "buttons" }, this.button),
    );
    for (const { input } of [this.games, this.plies]) input.addEventListener("input", () => this.#draw());
    this.#draw();
  }

  /** @param {PlayerGroup[]} groups */
  fill(groups) {
    this.picker.fill(groups);
  }

  #add() {
    const { spec, name } = this.picker;
    if (!spec) return;
    if (this.#players.some((player) => player.spec === spec)) {
      complain("This player is already in the list. Change its options under Advanced to add it once more.");
      return;
    }
    this.#players.push({ spec, name });
    this.#draw();
  }

  #draw() {
    const number = this.#players.length;
    const pairs = this.gauntlet.input.checked ? Math.max(0, number - 1) : (number * (number - 1)) / 2;
    this.button.disabled = number < 2;
    this.warning.hidden = !(Number(this.plies.input.value) === 0 && Number(this.games.input.value) > 2);
    this.words.textContent = number < 2 ? "Add at least two players." : `${several(pairs * Number(this.games.input.value), "game")} in all.`;
    this.chips.replaceChildren(
      ...this.#players.map((player) =>
        h("li", { class: "chip", title: player.spec }, h("span", {}, player.name),
          h("button", { type: "button", class: "quiet icon", "aria-label": `Remove ${player.name}`, onclick: () => this.#remove(player) }, icon("close")))),
    );
  }

  /** @param {{spec: string, name: string}} player */
  #remove(player) {
    this.#players = this.#players.filter((other) => other !== player);
    this.#draw();
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    this.button.disabled = true;
    const tournament = await attempt(() =>
      api.startTournament({
        players: this.#players.map(({ spec }) => spec),
        games: Number(this.games.input.value),
        plies: Number(this.plies.input.value),
        gauntlet: this.gauntlet.input.checked,
        seed: Number(this.seed.input.value),
      }),
    );
    this.#draw();
    if (!tournament) return;
    if (tournament.again) toast("This tournament was played already. Choose another seed for new games.");
    this.onStart(tournament);
  }
}
