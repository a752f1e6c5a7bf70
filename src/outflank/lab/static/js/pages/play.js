/** Play: a game against any player, or of two people at one screen. */

import { Advice } from "../advice.js";
import { api, ApiError } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { attempt, complain } from "../notices.js";
import { Actions } from "../parts/actions.js";
import { openDialog } from "../parts/dialog.js";
import { gameList, wasPlayed } from "../parts/game-list.js";
import { HintToggles } from "../parts/hint-toggles.js";
import { History } from "../parts/history.js";
import { Loader } from "../parts/loader.js";
import { ResultCard } from "../parts/result-card.js";
import { Setup } from "../parts/setup.js";
import { beginning, Sharing } from "../parts/sharing.js";
import { setShortcuts } from "../parts/shortcuts.js";
import { Stage } from "../parts/stage.js";
import { go, link, redirect } from "../router.js";
import { Session } from "../session.js";
import { capital, STANDARD, transcript } from "../squares.js";
import { keep, recall } from "../storage.js";

/** @import { Route } from "../router.js" */
/** @import { Place, Side, Table } from "../types.js" */

export const title = "Play";

/** @param {HTMLElement} root */
export function open(root) {
  return new PlayPage(root);
}

class PlayPage {
  isSettingUp = false;
  reviewLink = h("a", { class: "button quiet", "data-test": "review" }, icon("review"), "Review this game");
  /** @type {string | null} the game that was started just now */
  begun = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.session = new Session((before) => this.#changed(before), (id) => this.#forget(id));
    this.stage = new Stage({ onPlay: (square) => this.session.move(square), whyNot: () => this.#whyNot() });
    this.advice = new Advice(this.session, () => this.hints.draw());
    this.hints = new HintToggles(this.stage.board, this.advice);
    this.history = new History((ply) => this.session.look(ply));
    this.actions = new Actions(this.session, () => this.#continue());
    this.sharing = new Sharing(this.session);
    this.result = new ResultCard({
      onRematch: (you) => this.#rematch(you),
      onShare: () => this.sharing.share(),
      onNew: () => this.#showSetup({}),
    });
    this.setup = new Setup({
      onStart: (table) => this.#begin(table),
      onPreview: (place) => this.#preview(place),
      onCancel: () => this.#showGame(),
    });
    this.panel = h("aside", { class: "panel", "aria-label": "Game" });
    this.game = this.#gamePanel();
    root.append(h("h1", { class: "visually-hidden" }, "Play Othello"), this.stage.element, this.panel);
    this.endShortcuts = setShortcuts(this.#shortcuts());
    api.players().then((players) => this.hints.setPlayers(players.groups), complain);
  }

  /** @param {Route} route */
  async show({ name, query }) {
    const [start, moves] = [query.get("start"), query.get("moves") ?? ""];
    if (name) await this.#openGame(name);
    else if (query.has("new") || query.has("against")) {
      this.#showSetup({ against: query.get("against"), start, moves });
    } else if (start || moves) await this.#openLink(start, moves);
    else if (recall("game")) redirect("play", recall("game"));
    else this.#showSetup({});
  }

  close() {
    this.endShortcuts();
    this.advice.close();
    this.session.close();
    this.stage.close();
  }

  #gamePanel() {
    return [
      this.result.element,
      h("section", { class: "card" }, this.actions.moment, this.history.element, this.actions.element),
      h("section", { class: "card" }, this.hints.element),
      h(
        "section",
        { class: "card" },
        h("div", { class: "buttons" },
          h("button", { type: "button", "data-test": "new-game", title: "New game (n)", onclick: () => this.#showSetup({}) }, icon("plus"), "New game"),
          h("button", { type: "button", class: "quiet", "data-test": "from-here", onclick: () => this.#showSetup(beginning(this.session, this.session.ply)) }, "New game from here"),
          this.reviewLink,
          h("button", { type: "button", class: "quiet", "data-test": "load", onclick: () => this.#load() }, icon("file"), "Load a game")),
        this.sharing.element,
      ),
    ];
  }

  /** @param {string} id */
  async #openGame(id) {
    if (this.session.table?.id !== id) {
      try {
        await this.session.open(id);
      } catch (error) {
        complain(error);
        if (error instanceof ApiError && error.status === 404) this.#forget(id);
        else redirect("play", null, { new: 1 });
        return;
      }
    }
    if (!this.session.table) return;
    keep("game", id);
    this.#showGame();
    if (this.begun === id) this.stage.enter();
    this.begun = null;
  }

  /** A game was started here: its board comes into view. @param {Table} table */
  #begin(table) {
    this.begun = table.id;
    go("play", table.id);
  }

  /** The same players once more. @param {Side | null} you the side that the person has; null: nobody changes */
  async #rematch(you) {
    const { present: table } = this.session;
    const [black, white] = you === null ? [table.black.spec, table.white.spec] : [table.white.spec, table.black.spec];
    const again = await attempt(() =>
      api.newGame({
        black, white, start: table.start === STANDARD ? null : table.start, moves: transcript(table.moves.slice(0, table.given)),
        minutes: table.clock.limit === null ? null : table.clock.limit / 60, delay: 0, budget: table.budget, paused: false,
      }),
    );
    if (again) this.#begin(again);
  }

  /** The game is not there any more. @param {string} id */
  #forget(id) {
    if (recall("game") === id) keep("game", null);
    this.setup.cancel.hidden = true;
    redirect("play", null, { new: 1 });
  }

  /**
   * A shared link: two people's game at that point; "New game from here" plays on against somebody.
   *
   * @param {string | null} start
   * @param {string} moves
   */
  async #openLink(start, moves) {
    const table = await attempt(() =>
      api.newGame({ black: "human", white: "human", start, moves, minutes: null, delay: 0, budget: null, paused: false }),
    );
    if (table) redirect("play", table.id);
    else this.#showSetup({});
  }

  /** @param {{against?: string | null, start?: string | null, moves?: string | null}} wishes */
  #showSetup({ against = null, start = null, moves = "" }) {
    this.isSettingUp = true;
    this.root.classList.add("is-setup");
    this.panel.replaceChildren(this.setup.element, gameList("play", { fits: wasPlayed }));
    this.setup.show({ against, start, moves: moves ?? "", canCancel: this.session.table !== null });
  }

  #showGame() {
    if (!this.session.table) return;
    this.isSettingUp = false;
    this.root.classList.remove("is-setup");
    this.panel.replaceChildren(...this.game);
    this.#changed(null);
  }

  /** @param {Place | null} place */
  #preview(place) {
    if (this.isSettingUp && place) this.stage.preview(place, "Choose an opponent, then start.");
  }

  /** @param {Table | null} before */
  #changed(before) {
    if (this.isSettingUp || !this.session.table) return;
    const { present: table } = this.session;
    this.stage.show(this.session, before);
    this.history.show(this.session);
    this.actions.show();
    this.result.show(table);
    this.reviewLink.href = link("review", table.id);
    this.advice.refresh();
    this.hints.draw();
  }

  #whyNot() {
    if (this.isSettingUp || !this.session.table) return "Start a game first.";
    const { present: table, place, seat, isNow } = this.session;
    if (place.over || (isNow && table.result)) return "The game is over.";
    if (seat.human) return null;
    const turn = capital(place.turn);
    return isNow ? `It is ${turn}'s turn: ${seat.name}.` : `${turn} moves here. Choose "Continue from here", or step to a move of yours.`;
  }

  /** What was played later becomes what redo would play. */
  #continue() {
    this.session.send("goto", { ply: this.session.ply });
  }

  #load() {
    const dialog = openDialog("Load a game", new Loader((table) => {
      dialog.close();
      go("play", table.id);
    }).element);
  }

  #shortcuts() {
    const game = (/** @type {() => void} */ run) => () => void (!this.isSettingUp && this.session.table && run());
    const step = (/** @type {number} */ ply) => game(() => this.session.look(this.session.ply + ply));
    return {
      u: { does: "undo", run: game(() => this.session.send("undo")) },
      r: { does: "redo", run: game(() => this.session.send("redo")) },
      n: { does: "new game", run: () => this.#showSetup({}) },
      h: { does: "what each move is worth, on or off", run: game(() => this.hints.flip()) },
      p: { does: "pass, if you have no move", run: game(() => !this.actions.pass.hidden && this.session.move("pass")) },
      b: { does: "go to the board", run: () => this.stage.board.focus() },
      ArrowLeft: { does: "one move back", run: step(-1) },
      ArrowRight: { does: "one move on", run: step(1) },
    };
  }
}
