/** The WebSocket half of the lab's API: one socket for the page, which comes back by itself. */

const WAITS = [500, 1000, 2000, 4000, 8000]; // milliseconds before each next try to connect
const BEAT = 20000; // milliseconds between pings; a socket silent for two of them is taken as lost

class Live {
  #socket = null;
  #listeners = new Map();
  #joined = new Map(); // by game: the message that joins it
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
   * @returns {() => void} ends the listening
   */
  on(type, listener) {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Send a message; false if there is no connection now. */
  send(message) {
    if (!this.connected) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /**
   * Be told of every change of a game, also after the connection was lost.
   *
   * @param {boolean} watch only look: neither clocks nor players are set going
   */
  join(game, watch = false) {
    const message = { type: "join", game, ...(watch ? { watch } : {}) };
    this.#joined.set(game, message);
    this.send(message);
  }

  leave(game) {
    this.#joined.delete(game);
    this.send({ type: "leave", game });
  }

  /** Be told of a run or a tournament. @param {"run" | "tournament"} what */
  follow(what, name) {
    this.#followed.set(`${what} ${name}`, { type: "follow", what, name, on: true });
    this.send({ type: "follow", what, name, on: true });
  }

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

  #received(text) {
    this.#heard = Date.now();
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    if (message.type === "gone") this.#joined.delete(message.game);
    this.#emit(message.type, message);
  }

  #closed(socket) {
    if (socket !== this.#socket) return;
    this.#emit("lost", {});
    const wait = WAITS[Math.min(this.#tries++, WAITS.length - 1)];
    setTimeout(() => this.#connect(), wait * (0.8 + 0.4 * Math.random()));
  }

  #beat() {
    if (!this.connected) return;
    if (Date.now() - this.#heard > 2 * BEAT + 5000) this.#socket.close();
    else this.send({ type: "ping" });
  }

  #emit(type, message) {
    for (const listener of [...(this.#listeners.get(type) ?? [])]) listener(message);
  }
}

export const live = new Live();
