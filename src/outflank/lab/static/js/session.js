/** A game of the server that this page has joined, and the moment of it that is looked at. */

import { api } from "./api.js";
import { live } from "./live.js";
import { complain } from "./notices.js";
import { SIDES, transcript } from "./squares.js";

/** @import { Place, Side, Table, Thought } from "./types.js" */

export class Session {
  /** @type {Table | null} */
  table = null;
  /** When the table came, for clocks that run on: milliseconds of performance.now(). */
  received = 0;
  /**
   * The latest thoughts of a side that thinks now.
   *
   * @type {Record<Side, Thought | null>}
   */
  thinking = { black: null, white: null };
  /** @type {number | null} the ply that is looked at; null: always the newest */
  #view = null;
  /** @type {(() => void)[]} */
  #endings = [];
  /** @type {symbol | null} the game that was asked for last */
  wanted = null;

  /**
   * @param {(before: Table | null) => void} changed called after every change;
   *   `before` is the table as it was if the table itself changed
   * @param {(id: string) => void} gone called when somebody deleted the game
   */
  constructor(changed, gone) {
    this.changed = changed;
    this.gone = gone;
  }

  /**
   * Join a game. Throws an ApiError if there is no such game.
   *
   * @param {string} id
   * @param {{watch?: boolean}} [how] watch: only look, without setting the game going
   */
  async open(id, { watch = false } = {}) {
    this.close();
    const wanted = Symbol(id);
    this.wanted = wanted;
    const table = await api.game(id);
    if (this.wanted !== wanted) return;
    this.#endings = [
      live.on("table", (message) => message.table.id === id && this.#receive(message.table)),
      live.on("thinking", (message) => message.game === id && this.#think(message)),
      live.on("gone", ({ game }) => game === id && this.#lose(id)),
      // A server that was started anew may count versions from the beginning.
      live.on("lost", () => this.table && (this.table.version = -1)),
    ];
    live.join(id, watch);
    this.#receive(table);
  }

  /** Leave the game. */
  close() {
    this.wanted = null;
    for (const end of this.#endings) end();
    this.#endings = [];
    if (this.table) live.leave(this.table.id);
    this.table = null;
    this.#view = null;
  }

  /** The game, where one is open. */
  get present() {
    if (!this.table) throw new Error("no game is open");
    return this.table;
  }

  get ply() {
    return this.#view ?? this.present.moves.length;
  }

  /** Whether the newest position is shown, and not an earlier one. */
  get isNow() {
    return this.#view === null;
  }

  /** The position that is shown. @returns {Place} */
  get place() {
    return this.present.plies[this.ply];
  }

  get lastMove() {
    return this.present.moves[this.ply - 1] ?? null;
  }

  /** The seat whose turn it is in the position that is shown. */
  get seat() {
    return this.present[this.place.turn];
  }

  /** The moves up to the position that is shown, in one word. */
  get transcript() {
    return transcript(this.present.moves.slice(0, this.ply));
  }

  /** Show the position after the first `ply` moves. @param {number} ply */
  look(ply) {
    if (!this.table) return;
    const last = this.table.moves.length;
    const wanted = Math.max(0, Math.min(ply, last));
    this.#view = wanted === last ? null : wanted;
    this.changed(null);
  }

  /** Play in the position that is shown; what followed it is dropped. @param {string} move */
  move(move) {
    const ply = this.ply;
    this.#view = null;
    this.send("move", { ply, move });
  }

  /**
   * Send a message about this game, e.g. "undo".
   *
   * @param {string} type
   * @param {Object} [facts]
   */
  send(type, facts = {}) {
    if (!this.table) return;
    if (!live.send({ type, game: this.table.id, ...facts })) complain("Not connected just now. Please try again.");
  }

  /** @param {string} id */
  #lose(id) {
    this.table = null; // there is nothing to leave any more
    this.close();
    complain("This game was deleted.");
    this.gone(id);
  }

  /** @param {Table} table */
  #receive(table) {
    const before = this.table;
    if (before && before.id === table.id && table.version < before.version) return;
    this.table = table;
    this.received = performance.now();
    for (const side of SIDES) if (table.thinking !== side) this.thinking[side] = null;
    if (this.#view !== null && this.#view >= table.moves.length) this.#view = null;
    this.changed(before);
  }

  /** @param {{side: Side, thought: Thought}} message */
  #think({ side, thought }) {
    this.thinking[side] = thought;
    this.changed(null);
  }
}
