/** Arena: the ladder of all games, and tournaments. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { count, moment, several } from "../format.js";
import { live } from "../live.js";
import { attempt } from "../notices.js";
import { ladder } from "../parts/ladder.js";
import { reveal } from "../parts/reveal.js";
import { stateBadge } from "../parts/state-badge.js";
import { TournamentForm } from "../parts/tournament-form.js";
import { TournamentView } from "../parts/tournament-view.js";
import { go, link } from "../router.js";

/** @import { Route } from "../router.js" */
/** @import { TournamentDetails, TournamentRow } from "../types.js" */

export const title = "Arena";

const AGAIN = 5000; // milliseconds between looks at the list

/** @param {HTMLElement} root */
export function open(root) {
  return new ArenaPage(root);
}

class ArenaPage {
  /** @type {TournamentRow[]} */
  #tournaments = [];
  /** @type {string | null | undefined} the tournament that is shown */
  name;
  /** @type {TournamentView | null} */
  view = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.form = new TournamentForm((tournament) => go("arena", tournament.id));
    this.list = h("ul", { class: "cards", "data-test": "tournaments" });
    this.listCard = h("section", { class: "card", hidden: true }, h("h2", {}, "Tournaments"), this.list);
    this.detail = h("div", { class: "detail" });
    root.append(h("h1", {}, "Arena"), h("div", { class: "side" }, this.form.element, this.listCard), this.detail);
    attempt(() => api.players()).then((players) => players && this.form.fill(players.groups));
    this.end = live.on("tournament", ({ tournament }) => this.#update(tournament));
    this.timer = setInterval(() => !document.hidden && this.#refresh(), AGAIN);
  }

  /** @param {Route} route */
  async show({ name }) {
    this.view?.close();
    this.view = null;
    this.name = name;
    if (name) {
      this.view = new TournamentView(name);
      this.detail.replaceChildren(this.view.element);
      this.view.load();
      reveal(this.detail);
    } else await this.#showLadder();
    await this.#refresh();
  }

  close() {
    this.name = undefined;
    clearInterval(this.timer);
    this.end();
    this.view?.close();
  }

  async #showLadder() {
    const found = await attempt(() => api.ladder());
    if (!found || this.name) return;
    const { players, games } = found;
    this.detail.replaceChildren(
      h(
        "section",
        { class: "card" },
        h("h2", {}, "Ladder"),
        players.length
          ? [
            h("p", { class: "muted" }, `${several(games, "game")} of this lab. There is one Elo scale: a random player has 0, the ratings of shipped players are fixed, and all others are rated by their games against them.`),
            ladder(players, "ladder"),
          ]
          : h("p", { class: "muted", "data-test": "ladder" }, "No games yet. Start a tournament, and its players will appear here."),
      ),
    );
  }

  async #refresh() {
    try {
      this.#tournaments = await api.tournaments();
    } catch {
      return; // the next look may work; the bar above says that the connection is lost
    }
    this.#drawList();
  }

  /** @param {TournamentDetails} tournament */
  #update(tournament) {
    const index = this.#tournaments.findIndex(({ id }) => id === tournament.id);
    if (index < 0) return;
    this.#tournaments[index] = tournament;
    this.#drawList();
  }

  #drawList() {
    const active = document.activeElement;
    const focused = active && this.list.contains(active) ? active.getAttribute("href") : null;
    this.listCard.hidden = this.#tournaments.length === 0;
    this.list.replaceChildren(
      ...this.#tournaments.map((one) =>
        h("li", {},
          h("a", { href: link("arena", one.id), "aria-current": String(one.id) === this.name ? "true" : null },
            h("b", {}, one.names.length > 3 ? `${one.names.slice(0, 2).join(", ")} and ${one.names.length - 2} more` : one.names.join(", ")), stateBadge(one.state),
            h("small", {}, `${count(one.games)} of ${count(one.total)} games · ${moment(one.created)}`))),
      ),
    );
    if (focused) [...this.list.querySelectorAll("a")].find((item) => item.getAttribute("href") === focused)?.focus();
  }
}
