/** The REST half of the lab's API. */

/**
 * @import {
 *   About, BegunTournament, Explored, GameBody, GameRow, Ladder, LearnerRow, NotExplored, Opening, PairGame, PlaceInGame,
 *   Players, RecordFormat, RecordNames, Records, RunBody, RunDetails, RunRow, StudyResult, StudyRow, Table, TournamentBody,
 *   TournamentDetails, TournamentRow, UnreadableGame
 * } from "./types.js"
 */

/** An answer of the server that is not a success; `message` is one line for people. */
export class ApiError extends Error {
  /** @param {string} message @param {number} status of the answer; 0: there was none */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** @param {string} path @param {RequestInit} [options] */
async function answerTo(path, options = {}) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, options);
  } catch {
    throw new ApiError("The lab does not answer. Is it still running?", 0);
  }
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => null);
  throw new ApiError(body?.error ?? `The lab answered with error ${answer.status}.`, answer.status);
}

/**
 * @template Answer
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<Answer>}
 */
async function ask(path, options = {}) {
  const answer = await answerTo(path, options);
  return answer.status === 204 ? /** @type {any} */ (null) : answer.json();
}

/**
 * @param {string} path
 * @returns {Promise<{name: string, content: Blob}>} a file, with the name that the server gives it
 */
async function askFile(path) {
  const answer = await answerTo(path);
  const [, name] = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "") ?? [null, "game"];
  return { name, content: await answer.blob() };
}

/**
 * @template Answer
 * @param {string} path
 * @param {Object} [body]
 * @returns {Promise<Answer>}
 */
function post(path, body = {}) {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

/**
 * @template Answer
 * @param {string} path
 * @param {string | Blob} content
 * @returns {Promise<Answer>}
 */
function upload(path, content) {
  return ask(path, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: content });
}

/** @param {string | number} text */
const part = (text) => encodeURIComponent(text);

/**
 * Ask once and remember the answer; a failure is asked again.
 *
 * @template Answer
 * @param {() => Promise<Answer>} question
 * @returns {() => Promise<Answer>}
 */
function once(question) {
  /** @type {Promise<Answer> | null} */
  let answer = null;
  return () => {
    answer ??= question().catch((error) => {
      answer = null;
      throw error;
    });
    return answer;
  };
}

export const api = {
  about: once(() => /** @type {Promise<About>} */ (ask("about"))),
  formats: once(() => /** @type {Promise<RecordFormat[]>} */ (ask("formats"))),
  openings: once(() => /** @type {Promise<Opening[]>} */ (ask("openings"))),
  /** @returns {Promise<Players>} */
  players: () => ask("players"),
  /** @type {(start: string | null, moves: string) => Promise<PlaceInGame>} */
  position: (start, moves) => post("position", { start, moves }),

  /** @returns {Promise<(GameRow | UnreadableGame)[]>} */
  games: () => ask("games"),
  /** @type {(id: string) => Promise<Table>} */
  game: (id) => ask(`games/${part(id)}`),
  /** @type {(game: GameBody) => Promise<Table>} */
  newGame: (game) => post("games", game),
  /** @type {(id: string) => Promise<null>} */
  deleteGame: (id) => ask(`games/${part(id)}`, { method: "DELETE" }),
  /** @type {(id: string, format: string) => Promise<{name: string, content: Blob}>} */
  record: (id, format) => askFile(`games/${part(id)}/record?format=${part(format)}`),

  /** @type {(content: string | Blob, name: string, names: string[]) => Promise<Records>} content: a file, or pasted text; names: tokens */
  readRecords: (content, name, names) => upload(`records?name=${part(name)}${names.map((token) => `&names=${part(token)}`).join("")}`, content),
  /** @type {(content: Blob, name: string) => Promise<RecordNames>} */
  readNames: (content, name) => upload(`records/names?name=${part(name)}`, content),
  /** @type {(token: string, number: number) => Promise<Table>} */
  openRecord: (token, number) => post(`records/${part(token)}/${part(number)}`),

  /** @returns {Promise<LearnerRow[]>} */
  learners: () => ask("learners"),
  /** @returns {Promise<RunRow[]>} */
  runs: () => ask("runs"),
  /** @type {(name: string) => Promise<RunDetails>} */
  run: (name) => ask(`runs/${part(name)}`),
  /** @type {(run: RunBody) => Promise<RunRow>} */
  startRun: (run) => post("runs", run),
  /** @type {(name: string, what: "pause" | "resume" | "stop") => Promise<RunRow>} */
  steerRun: (name, what) => post(`runs/${part(name)}/${what}`),

  /** @returns {Promise<Ladder>} */
  ladder: () => ask("ladder"),
  /** @returns {Promise<TournamentRow[]>} */
  tournaments: () => ask("tournaments"),
  /** @type {(id: string) => Promise<TournamentDetails>} */
  tournament: (id) => ask(`tournaments/${part(id)}`),
  /** @type {(tournament: TournamentBody) => Promise<BegunTournament>} */
  startTournament: (tournament) => post("tournaments", tournament),
  /** @type {(id: string, what: "stop" | "resume") => Promise<TournamentDetails>} */
  steerTournament: (id, what) => post(`tournaments/${part(id)}/${what}`),
  /** @type {(id: string, pair: number) => Promise<PairGame[]>} */
  pairGames: (id, pair) => ask(`tournaments/${part(id)}/games?pair=${part(pair)}`),
  /** @type {(id: string, pair: number, number: number) => Promise<Table>} */
  openPairGame: (id, pair, number) => post(`tournaments/${part(id)}/games/${part(pair)}/${part(number)}`),

  /** @returns {Promise<StudyRow[]>} */
  studies: () => ask("studies"),
  /** @type {(name: string, scale: string) => Promise<StudyResult>} */
  study: (name, scale) => ask(`studies/${part(name)}?scale=${part(scale)}`),

  /** @type {(moves: string, first: string | null, last: string | null) => Promise<Explored | NotExplored>} */
  explore: (moves, first, last) => {
    const query = new URLSearchParams({ moves });
    if (first) query.set("first", first);
    if (last) query.set("last", last);
    return ask(`explore?${query}`);
  },
  /** @type {(number: number) => Promise<Table>} */
  openExplored: (number) => post(`explore/${part(number)}`),
};
