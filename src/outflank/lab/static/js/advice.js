/** Hints and opinions about the position that is shown, asked for again whenever it changes. */

import { live } from "./live.js";

/** @import { Hints, Opinion, Opinions } from "./types.js" */

const CALM = 150; // milliseconds to wait, so that stepping through a game does not ask at every step

export class Advice {
  /** @type {Hints | null} */
  hints = null;
  /**
   * By spec: what the player would do, or why it does not tell.
   *
   * @type {Map<string, Opinion>}
   */
  opinions = new Map();
  #wantsHints = false;
  /** @type {string[]} */
  #players = [];
  /** @type {{hints: string | null, opinions: string | null}} */
  #asked = { hints: null, opinions: null };
  #timer = 0;

  /**
   * @param {import("./session.js").Session} session
   * @param {() => void} changed called when an answer came
   */
  constructor(session, changed) {
    this.session = session;
    this.changed = changed;
    this.endings = [
      live.on("hints", (message) => this.#hinted(message)),
      live.on("opinions", (message) => this.#told(message)),
      live.on("open", () => this.#again()),
    ];
  }

  close() {
    clearTimeout(this.#timer);
    if (this.#asked.hints) this.#send("hints", { ply: null });
    for (const end of this.endings) end();
  }

  /** Say what is wanted from now on. @param {{hints?: boolean, players?: string[]}} wishes players: whose opinions are wanted */
  want({ hints = this.#wantsHints, players = this.#players }) {
    this.#wantsHints = hints;
    this.#players = players;
    this.refresh();
  }

  /** Ask again if the position, or what is wanted, is another one now. */
  refresh() {
    if (!this.session.table) return;
    const position = this.#position();
    const open = !this.session.place.over && this.session.place.legal[0] !== "pass";
    const wanted = {
      hints: this.#wantsHints && open ? position : null,
      opinions: this.#players.length && open ? `${position} ${this.#players.join(" ")}` : null,
    };
    const { hints, opinions } = this.#asked;
    if (wanted.hints === hints && wanted.opinions === opinions) return;
    this.#asked = wanted;
    if (wanted.hints !== hints) this.hints = null;
    if (wanted.opinions !== opinions) this.opinions = new Map();
    if (hints && !wanted.hints) this.#send("hints", { ply: null });
    clearTimeout(this.#timer);
    const news = { hints: Boolean(wanted.hints && !this.hints), opinions: Boolean(wanted.opinions && !this.opinions.size) };
    this.#timer = setTimeout(() => this.#ask(news), CALM);
  }

  /** @param {{hints: boolean, opinions: boolean}} news */
  #ask(news) {
    if (!this.session.table) return;
    const { ply } = this.session;
    if (news.hints) this.#send("hints", { ply });
    if (news.opinions) this.#send("opinions", { ply, players: this.#players });
  }

  #again() {
    this.#asked = { hints: null, opinions: null };
    this.refresh();
  }

  /** @param {Hints} message */
  #hinted(message) {
    if (!this.#isHere(message) || !this.#asked.hints) return;
    const { legal } = this.session.place; // an answer about a branch that was dropped may come late
    if (!Object.keys(message.values).every((square) => legal.includes(square))) return;
    this.hints = message;
    this.changed();
  }

  /** @param {Opinions} message */
  #told(message) {
    if (!this.#isHere(message) || !this.#asked.opinions) return;
    for (const one of message.players) this.opinions.set(one.spec, one);
    this.changed();
  }

  /** @param {{game: string, ply: number}} message */
  #isHere({ game, ply }) {
    return game === this.session.table?.id && ply === this.session.ply;
  }

  #position() {
    const { present: table, ply } = this.session;
    return `${table.id} ${table.start} ${table.moves.slice(0, ply).join("")} ${ply}`;
  }

  /** @param {string} type @param {Object} facts */
  #send(type, facts) {
    if (this.session.table) live.send({ type, game: this.session.table.id, ...facts });
  }
}
