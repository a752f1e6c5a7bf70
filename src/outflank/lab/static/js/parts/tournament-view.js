/** One tournament: how far it is, its ladder, its cross table, and the games of a pair. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { count, signed } from "../format.js";
import { live } from "../live.js";
import { attempt } from "../notices.js";
import { go } from "../router.js";
import { crossTable } from "./cross-table.js";
import { ladder } from "./ladder.js";
import { stateBadge } from "./state-badge.js";
import { tableScroll } from "./table-scroll.js";

/** @import { PairGame, Pairing, TournamentDetails } from "../types.js" */

export class TournamentView {
  /** @type {Map<string, string>} by spec */
  #names = new Map();

  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.state = h("p", { class: "run-state", "data-test": "tournament-state" });
    this.progress = h("progress", { max: 1, "aria-label": "Progress of the tournament" });
    this.error = h("p", { class: "error" });
    /** @type {(what: "stop" | "resume", label: string) => HTMLButtonElement} */
    const steer = (what, label) => h("button", { type: "button", "data-test": `${what}-tournament`, onclick: () => this.#steer(what) }, label);
    this.buttons = { stop: steer("stop", "Stop"), resume: steer("resume", "Resume") };
    this.repeats = h("p", { class: "warning", hidden: true }, "All games start alike, so most players repeat the same two games.");
    this.standings = h("div", {});
    this.cross = h("div", {});
    this.games = h("div", { "data-test": "pair-games" });
    this.element = h(
      "section",
      { class: "card" },
      h("h2", {}, "Tournament"),
      this.state,
      this.progress,
      this.error,
      h("div", { class: "buttons" }, Object.values(this.buttons), h("a", { class: "button", href: "#/arena" }, "All tournaments")),
      this.repeats,
      this.standings,
      h("h3", {}, "Cross table"),
      h("p", { class: "muted" }, "How much of the points the row's player took from the column's player. Click a number to see the games."),
      this.cross,
      this.games,
    );
    this.end = live.on("tournament", ({ tournament }) => String(tournament.id) === id && this.#show(tournament));
    live.follow("tournament", id);
  }

  close() {
    this.end();
    live.unfollow("tournament", this.id);
  }

  async load() {
    const tournament = await attempt(() => api.tournament(this.id));
    if (tournament) this.#show(tournament);
  }

  /** @param {TournamentDetails} tournament */
  #show(tournament) {
    this.state.replaceChildren(stateBadge(tournament.state), `${count(tournament.games)} of ${count(tournament.total)} games · seed ${tournament.seed}`);
    this.progress.value = tournament.total ? tournament.games / tournament.total : 0;
    this.progress.hidden = tournament.state === "finished";
    this.error.textContent = tournament.error ?? "";
    this.buttons.stop.hidden = tournament.state !== "running";
    this.buttons.resume.hidden = !tournament.resumable;
    this.repeats.hidden = !tournament.repeats;
    if (this.cross.contains(document.activeElement)) return; // focus is not taken away
    const { standings, pairs } = tournament;
    this.#names = new Map(standings.map(({ spec, name }) => [spec, name]));
    this.standings.replaceChildren(ladder(standings, "standings"));
    this.cross.replaceChildren(
      crossTable(standings.map(({ spec }) => spec), pairs, { nameOf: (spec) => this.#name(spec), onPair: (pair) => this.#list(pair, pairs[pair]) }),
    );
  }

  /** @param {string} spec */
  #name(spec) {
    return this.#names.get(spec) ?? spec;
  }

  /** @param {"stop" | "resume"} what */
  async #steer(what) {
    const tournament = await attempt(() => api.steerTournament(this.id, what));
    if (tournament) this.load();
  }

  /** @param {number} pair @param {Pairing} players */
  async #list(pair, { first, second }) {
    const games = await attempt(() => api.pairGames(this.id, pair));
    if (!games) return;
    const titles = ["Game", "Black", "White", "Black's score", "Ended"];
    const head = h("h3", { tabindex: -1 }, `${this.#name(first)} – ${this.#name(second)}`);
    this.games.replaceChildren(
      head,
      tableScroll("Games of the pair",
        h("table", { class: "facts" },
          h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title)))),
          h("tbody", {}, games.map((game) => this.#row(game))))),
    );
    head.focus();
  }

  /** @param {PairGame} game */
  #row(game) {
    const open = async () => {
      const table = await attempt(() => api.openPairGame(this.id, game.pair, game.number));
      if (table) go("review", table.id);
    };
    return h(
      "tr",
      {},
      h("td", {}, h("button", { type: "button", class: "link", "data-test": "open-game", onclick: open }, `Review game ${game.number + 1}`)),
      h("td", {}, this.#name(game.black)),
      h("td", {}, this.#name(game.white)),
      h("td", { class: "number" }, signed(game.score)),
      h("td", {}, game.reason || "on the board"),
    );
  }
}
