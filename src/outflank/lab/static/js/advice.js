/** Hints and opinions about the position that is shown, asked for again whenever it changes. */

import { live } from "./live.js";

const CALM = 150; // milliseconds to wait, so that stepping through a game does not ask at every step

export class Advice {
  /** @type {{values: Object<string, number>, unit: string, exact: boolean, depth: number, done: boolean} | null} */
  hints = null;
  /**
   * By spec: what the player would do, or why it does not tell.
   *
   * @type {Map<string, {name: string, thought: import("./types.js").Thought | null, error?: string}>}
   */
  opinions = new Map();
  #wantsHints = false;
  #players = [];
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

  /** Say what is wanted from now on. @param {string[]} players specs whose opinions are wanted */
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
    const news = { hints: wanted.hints && !this.hints, opinions: wanted.opinions && !this.opinions.size };
    this.#timer = setTimeout(() => this.#ask(news), CALM);
  }

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

  #hinted(message) {
    if (!this.#isHere(message) || !this.#asked.hints) return;
    const { legal } = this.session.place; // an answer about a branch that was dropped may come late
    if (!Object.keys(message.values).every((square) => legal.includes(square))) return;
    this.hints = message;
    this.changed();
  }

  #told(message) {
    if (!this.#isHere(message) || !this.#asked.opinions) return;
    for (const one of message.players) this.opinions.set(one.spec, one);
    this.changed();
  }

  #isHere({ game, ply }) {
    return game === this.session.table?.id && ply === this.session.ply;
  }

  #position() {
    const { table, ply } = this.session;
    return `${table.id} ${table.start} ${table.moves.slice(0, ply).join("")} ${ply}`;
  }

  #send(type, facts) {
    if (this.session.table) live.send({ type, game: this.session.table.id, ...facts });
  }
}
