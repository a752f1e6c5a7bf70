/** The WebSocket half of the lab's API: one socket for the page, which comes back by itself. */

/** @import { LiveMessage } from "./types.js" */

/**
 * What can be listened to: the types of messages, and "open" and "lost" of the socket itself.
 *
 * @typedef {{open: {}, lost: {}} & {[Message in LiveMessage as Message["type"]]: Message}} Heard
 */

const WAITS = [500, 1000, 2000, 4000, 8000]; // milliseconds before each next try to connect
const BEAT = 20000; // milliseconds between pings; a socket silent for two of them is taken as lost

class Live {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Map<string, Set<(message: any) => void>>} */
  #listeners = new Map();
  /** @type {Map<string, Object>} by game: the message that joins it */
  #joined = new Map();
  /** @type {Map<string, Object>} */
  #followed = new Map();
  #tries = 0;
  #heard = 0;

  /** Open the socket, and keep it open from now on. */
  start() {
    this.#connect();
    setInterval(() => this.#beat(), BEAT);
    window.addEventListener("online", () => this.#connect());
  }

  get connected() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /**
   * Listen to a type of message, or to "open" and "lost" of the socket itself.
   *
   * @template {keyof Heard} Type
   * @param {Type} type
   * @param {(message: Heard[Type]) => void} listener
   * @returns {() => void} ends the listening
   */
  on(type, listener) {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** Send a message; false if there is no connection now. @param {Object} message */
  send(message) {
    if (!this.#socket || !this.connected) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /**
   * Be told of every change of a game, also after the connection was lost.
   *
   * @param {string} game
   * @param {boolean} [watch] only look: neither clocks nor players are set going
   */
  join(game, watch = false) {
    const message = { type: "join", game, ...(watch ? { watch } : {}) };
    this.#joined.set(game, message);
    this.send(message);
  }

  /** @param {string} game */
  leave(game) {
    this.#joined.delete(game);
    this.send({ type: "leave", game });
  }

  /**
   * Be told of a run or a tournament.
   *
   * @param {"run" | "tournament"} what
   * @param {string} name
   */
  follow(what, name) {
    this.#followed.set(`${what} ${name}`, { type: "follow", what, name, on: true });
    this.send({ type: "follow", what, name, on: true });
  }

  /** @param {"run" | "tournament"} what @param {string} name */
  unfollow(what, name) {
    this.#followed.delete(`${what} ${name}`);
    this.send({ type: "follow", what, name, on: false });
  }

  #connect() {
    if (this.#socket && this.#socket.readyState <= WebSocket.OPEN) return;
    const url = new URL("/api/live", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.#socket = socket;
    socket.addEventListener("open", () => this.#opened());
    socket.addEventListener("message", (event) => this.#received(event.data));
    socket.addEventListener("close", () => this.#closed(socket));
  }

  #opened() {
    this.#tries = 0;
    this.#heard = Date.now();
    for (const message of this.#joined.values()) this.send(message);
    for (const message of this.#followed.values()) this.send(message);
    this.#emit("open", {});
  }

  /** @param {string} text */
  #received(text) {
    this.#heard = Date.now();
    /** @type {LiveMessage} */
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (message.type === "gone") this.#joined.delete(message.game);
    this.#emit(message.type, message);
  }

  /** @param {WebSocket} socket */
  #closed(socket) {
    if (socket !== this.#socket) return;
    this.#emit("lost", {});
    const wait = WAITS[Math.min(this.#tries++, WAITS.length - 1)];
    setTimeout(() => this.#connect(), wait * (0.8 + 0.4 * Math.random()));
  }

  #beat() {
    if (!this.#socket || !this.connected) return;
    if (Date.now() - this.#heard > 2 * BEAT + 5000) this.#socket.close();
    else this.send({ type: "ping" });
  }

  /** @param {keyof Heard} type @param {Object} message */
  #emit(type, message) {
    for (const listener of [...(this.#listeners.get(type) ?? [])]) listener(message);
  }
}

export const live = new Live();
