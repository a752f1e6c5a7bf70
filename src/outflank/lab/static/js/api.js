/** The REST half of the lab's API. */

/** An answer of the server that is not a success; `message` is one line for people. */
export class ApiError extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

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

async function ask(path, options = {}) {
  const answer = await answerTo(path, options);
  return answer.status === 204 ? null : answer.json();
}

/** @returns {Promise<{name: string, content: Blob}>} a file, with the name that the server gives it */
async function askFile(path) {
  const answer = await answerTo(path);
  const [, name] = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "") ?? [null, "game"];
  return { name, content: await answer.blob() };
}

function post(path, body = {}) {
  return ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
}

const part = encodeURIComponent;

/** Ask once and remember the answer; a failure is asked again. */
function once(question) {
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
  about: once(() => ask("about")),
  formats: once(() => ask("formats")),
  openings: once(() => ask("openings")),
  players: () => ask("players"),
  position: (start, moves) => post("position", { start, moves }),

  games: () => ask("games"),
  game: (id) => ask(`games/${part(id)}`),
  newGame: (game) => post("games", game),
  deleteGame: (id) => ask(`games/${part(id)}`, { method: "DELETE" }),
  record: (id, format) => askFile(`games/${part(id)}/record?format=${part(format)}`),

  /** @param {string | Blob} content a file, or pasted text */
  readRecords: (content, name) =>
    ask(`records?name=${part(name)}`, {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream" },
      body: content,
    }),
  openRecord: (token, number) => post(`records/${part(token)}/${part(number)}`),

  learners: () => ask("learners"),
  runs: () => ask("runs"),
  run: (name) => ask(`runs/${part(name)}`),
  startRun: (run) => post("runs", run),
  /** @param {"pause" | "resume" | "stop"} what */
  steerRun: (name, what) => post(`runs/${part(name)}/${what}`),

  ladder: () => ask("ladder"),
  tournaments: () => ask("tournaments"),
  tournament: (id) => ask(`tournaments/${part(id)}`),
  startTournament: (tournament) => post("tournaments", tournament),
  /** @param {"stop" | "resume"} what */
  steerTournament: (id, what) => post(`tournaments/${part(id)}/${what}`),
  pairGames: (id, pair) => ask(`tournaments/${part(id)}/games?pair=${part(pair)}`),
  openPairGame: (id, pair, number) => post(`tournaments/${part(id)}/games/${part(pair)}/${part(number)}`),

  studies: () => ask("studies"),
  study: (name, scale) => ask(`studies/${part(name)}?scale=${part(scale)}`),

  explore: (moves, first, last) => {
    const query = new URLSearchParams({ moves });
    if (first) query.set("first", first);
    if (last) query.set("last", last);
    return ask(`explore?${query}`);
  },
  openExplored: (number) => post(`explore/${part(number)}`),
};
