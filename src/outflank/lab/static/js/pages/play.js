/** Play: a game against any player, or of two people at one screen. */

import { Advice } from "../advice.js";
import { api, ApiError } from "../api.js";
import { h } from "../dom.js";
import { attempt, complain } from "../notices.js";
import { Actions } from "../parts/actions.js";
import { openDialog } from "../parts/dialog.js";
import { gameList } from "../parts/game-list.js";
import { HintToggles } from "../parts/hint-toggles.js";
import { History } from "../parts/history.js";
import { Loader } from "../parts/loader.js";
import { Setup } from "../parts/setup.js";
import { beginning, Sharing } from "../parts/sharing.js";
import { setShortcuts } from "../parts/shortcuts.js";
import { Stage } from "../parts/stage.js";
import { go, link, redirect } from "../router.js";
import { Session } from "../session.js";
import { capital } from "../squares.js";
import { keep, recall } from "../storage.js";

/** @import { Route } from "../router.js" */
/** @import { Place, Table } from "../types.js" */

export const title = "Play";

/** @param {HTMLElement} root */
export function open(root) {
  return new PlayPage(root);
}

class PlayPage {
  isSettingUp = false;
  opening = h("p", { class: "opening", "data-test": "opening" });
  past = h(
    "div",
    { class: "past buttons" },
    h("button", { type: "button", "data-test": "continue", onclick: () => this.#continue() }, "Continue from here"),
    h("button", { type: "button", class: "quiet", "data-test": "now", onclick: () => this.session.look(Infinity) }, "Back to now"),
  );
  reviewLink = h("a", { class: "button", "data-test": "review" }, "Review this game");

  /** @param {HTMLElement} root */
  constructor(root) {
    this.session = new Session((before) => this.#changed(before), (id) => this.#forget(id));
    this.stage = new Stage({ onPlay: (square) => this.session.move(square), whyNot: () => this.#whyNot() });
    this.advice = new Advice(this.session, () => this.hints.draw());
    this.hints = new HintToggles(this.stage.board, this.advice);
    this.history = new History((ply) => this.session.look(ply));
    this.actions = new Actions(this.session, () => this.#showSetup({}));
    this.sharing = new Sharing(this.session);
    this.setup = new Setup({
      onStart: (table) => go("play", table.id),
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
      h("section", { class: "card" }, this.actions.element, this.past, this.opening, this.history.element),
      h("section", { class: "card" }, this.hints.element),
      h(
        "section",
        { class: "card" },
        this.sharing.element,
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", "data-test": "load", onclick: () => this.#load() }, "Load a game"),
          h("button", { type: "button", "data-test": "from-here", onclick: () => this.#showSetup(beginning(this.session, this.session.ply)) }, "New game from here"),
          this.reviewLink,
        ),
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
    this.panel.replaceChildren(this.setup.element, gameList("play"));
    this.setup.show({ against, start, moves: moves ?? "", canCancel: this.session.table !== null });
  }

  #showGame() {
    if (!this.session.table) return;
    this.isSettingUp = false;
    this.panel.replaceChildren(...this.game);
    this.#changed(null);
  }

  /** @param {Place | null} place */
  #preview(place) {
    if (this.isSettingUp && place) this.stage.preview(place, "Choose an opponent and start.");
  }

  /** @param {Table | null} before */
  #changed(before) {
    if (this.isSettingUp || !this.session.table) return;
    const { present: table, isNow } = this.session;
    this.stage.show(this.session, before);
    this.history.show(this.session);
    this.actions.show();
    this.past.hidden = isNow;
    this.opening.textContent = table.opening ?? "";
    this.reviewLink.href = link("review", table.id);
    this.reviewLink.classList.toggle("primary", Boolean(table.result));
    this.advice.refresh();
    this.hints.draw();
  }

  #whyNot() {
    if (this.isSettingUp || !this.session.table) return "Start a game first.";
    const { present: table, place, seat, isNow } = this.session;
    if (place.over || (isNow && table.result)) return "The game is over.";
    if (seat.human) return null;
    const turn = capital(place.turn);
    return isNow ? `It is ${turn}'s turn: ${seat.name}.` : `${turn} is to move here: continue from here, or step to a move of yours.`;
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
      h: { does: "values of the moves, on or off", run: game(() => this.hints.flip()) },
      p: { does: "pass, if there is no move", run: game(() => !this.actions.pass.hidden && this.session.move("pass")) },
      b: { does: "to the board", run: () => this.stage.board.focus() },
      ArrowLeft: { does: "one move back in the history", run: step(-1) },
      ArrowRight: { does: "one move on in the history", run: step(1) },
    };
  }
}
