/** Watch: a game between any two players, with what they think. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { visitMarks } from "../marks.js";
import { attempt, complain } from "../notices.js";
import { gameList } from "../parts/game-list.js";
import { History } from "../parts/history.js";
import { PlayerPicker } from "../parts/player-picker.js";
import { setShortcuts } from "../parts/shortcuts.js";
import { Speed, usualDelay } from "../parts/speed.js";
import { Stage } from "../parts/stage.js";
import { StartPicker } from "../parts/start-picker.js";
import { thoughtView } from "../parts/thought-view.js";
import { go, link, redirect } from "../router.js";
import { Session } from "../session.js";
import { capital, SIDES } from "../squares.js";
import { keep, recall } from "../storage.js";

/** @import { Route } from "../router.js" */
/** @import { GameRow, Side, Table, UnreadableGame } from "../types.js" */

export const title = "Watch";

/** @param {HTMLElement} root */
export function open(root) {
  return new WatchPage(root);
}

class WatchPage {
  pickers = {
    black: new PlayerPicker({ label: "Black", test: "black" }),
    white: new PlayerPicker({ label: "White", test: "white" }),
  };
  start = new StartPicker((place) => place && !this.session.table && this.stage.preview(place, "Choose two players, then start."));
  opening = h("p", { class: "opening", "data-test": "opening" });
  reviewLink = h("a", { class: "button quiet", "data-test": "review" }, icon("review"), "Review this game");
  /** @type {string | null} the game that was started just now */
  begun = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.session = new Session((before) => this.#changed(before), () => redirect("watch"));
    this.stage = new Stage({ whyNot: () => "You are watching this game. Open Play to play yourself." });
    this.history = new History((ply) => this.session.look(ply));
    this.speed = new Speed(this.session);
    this.thoughts = { black: h("div", { class: "thought" }), white: h("div", { class: "thought" }) };
    this.heads = { black: h("h2", {}), white: h("h2", {}) };
    this.panel = h("aside", { class: "panel", "aria-label": "Watch" });
    this.form = this.#setup();
    this.game = this.#gamePanel();
    root.append(h("h1", { class: "visually-hidden" }, "Watch two players"), this.stage.element, this.panel);
    this.endShortcuts = setShortcuts(this.#shortcuts());
  }

  /** @param {Route} route */
  async show({ name }) {
    if (name) await this.#openGame(name);
    else await this.#showSetup();
  }

  close() {
    this.endShortcuts();
    this.session.close();
    this.stage.close();
  }

  #setup() {
    return h(
      "form",
      { class: "card setup", onsubmit: (event) => this.#submit(event) },
      h("h2", {}, "Watch a game"),
      this.pickers.black.element,
      this.pickers.black.advanced,
      this.pickers.white.element,
      this.pickers.white.advanced,
      h("div", { class: "buttons" }, h("button", { type: "submit", class: "primary", "data-test": "start-game" }, "Start the game")),
      h("details", { class: "advanced" }, h("summary", {}, "Start position"), this.start.element),
    );
  }

  #gamePanel() {
    const card = (/** @type {Side} */ side) => h("section", { class: "card", "data-test": `thought-${side}` }, this.heads[side], this.thoughts[side]);
    return [
      h("section", { class: "card" }, this.speed.element),
      card("black"),
      card("white"),
      h("section", { class: "card" }, this.opening, this.history.element,
        h("div", { class: "buttons" }, h("a", { class: "button", href: "#/watch", "data-test": "new-game" }, icon("plus"), "Two other players"), this.reviewLink)),
    ];
  }

  async #showSetup() {
    this.session.close();
    this.root.classList.add("is-setup");
    this.panel.replaceChildren(this.form, gameList("watch", { fits: isBetweenPlayers }));
    this.start.set({ start: null, moves: "" });
    const players = await attempt(() => api.players());
    if (!players) return;
    const before = recall("watch", {});
    this.pickers.black.fill(players.groups, before.black ?? { base: players.opponent });
    this.pickers.white.fill(players.groups, before.white ?? null); // the strongest like a person
  }

  /** @param {string} id */
  async #openGame(id) {
    if (this.session.table?.id === id) return;
    try {
      await this.session.open(id);
    } catch (error) {
      complain(error);
      redirect("watch");
      return;
    }
    this.root.classList.remove("is-setup");
    this.panel.replaceChildren(...this.game);
    if (!this.session.table) return;
    this.#changed(null);
    if (this.begun === id) this.stage.enter();
    this.begun = null;
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    const { black, white } = this.pickers;
    keep("watch", { black: black.chosen, white: white.chosen });
    const table = await attempt(() =>
      api.newGame({
        black: black.spec, white: white.spec, ...this.start.value,
        minutes: null, delay: usualDelay(), budget: null, paused: false,
      }),
    );
    if (!table) return;
    this.begun = table.id;
    go("watch", table.id);
  }

  /** @param {Table | null} before */
  #changed(before) {
    const { table } = this.session;
    if (!table) return;
    this.stage.show(this.session, before);
    this.stage.board.mark(visitMarks(this.#thoughtHere()));
    this.history.show(this.session);
    this.speed.show();
    this.opening.textContent = table.opening ?? "";
    this.reviewLink.href = link("review", table.id);
    for (const side of SIDES) {
      this.heads[side].textContent = `${capital(side)}: ${table[side].name}`;
      this.thoughts[side].replaceChildren(...thoughtView(this.#thought(side)).filter(Boolean));
    }
  }

  /** What a side thinks now, or thought at its last move before the moment that is shown. @param {Side} side */
  #thought(side) {
    const { present: table, ply, isNow, thinking } = this.session;
    if (isNow && thinking[side]) return thinking[side];
    for (let index = ply - 1; index >= 0; index -= 1) {
      if (table.plies[index].turn === side && table.thoughts[index]) return table.thoughts[index];
    }
    return null;
  }

  /** What is thought of the position that is shown: by who moves now, or moved there. */
  #thoughtHere() {
    const { present: table, place, ply, isNow, thinking } = this.session;
    return isNow ? thinking[place.turn] : table.thoughts[ply] ?? null;
  }

  #shortcuts() {
    const step = (/** @type {number} */ by) => () => void (this.session.table && this.session.look(this.session.ply + by));
    return {
      " ": { does: "pause or go on", run: () => this.speed.toggle() },
      ArrowLeft: { does: "one move back", run: step(-1) },
      ArrowRight: { does: "one move on", run: step(1) },
    };
  }
}

/** People's games are for Play: to watch one would set its clocks going. @param {GameRow | UnreadableGame} game */
function isBetweenPlayers(game) {
  return !("problem" in game) && !game.human.black && !game.human.white && game.played;
}
