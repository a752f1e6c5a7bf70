/** The messages of the socket, for the page /api: type, further fields, meaning. */

/** What a page says. */
export const SAID = [
  ["ping", "", "asks whether the server is there; the answer is pong"],
  ["join", "game, watch?", "tell of every change of this game; watch: without setting clocks and players going"],
  ["leave", "game", "tell of it no more"],
  ["move", "game, ply, move", "play after the first ply moves; what followed them is dropped"],
  ["goto", "game, ply", "make a moment the present; redo plays what came after it"],
  ["undo", "game", "take back to where a person last had a choice"],
  ["redo", "game", "play again what was taken back"],
  ["swap", "game", "the seats change places"],
  ["restart", "game", "back to how the game was begun"],
  ["pause", "game", "stop clocks and players"],
  ["go", "game", "go on after a pause"],
  ["step", "game", "one move, and then a pause"],
  ["stop", "game", "whoever thinks is to move now"],
  ["resign", "game, side", "give up"],
  ["delay", "game, seconds", "how long each move between two players takes at least"],
  ["hints", "game, ply", "value all moves of a moment, deeper and deeper; ply null: no more"],
  ["opinions", "game, ply, players", "what these players, given by their specs, would do"],
  ["review", "game, player", "go over the game with a player; null: no more"],
  ["follow", "what, name, on", "tell of a run or a tournament (what), or no more of it"],
];

/** What the server says. */
export const HEARD = [
  ["pong", "", "the answer to ping"],
  ["table", "table", "a game as it is now, the same as GET /api/games/{key}"],
  ["thinking", "game, side, thought", "what a player thinks so far"],
  ["gone", "game", "the game was deleted"],
  ["hints", "game, ply, values, unit, exact, depth, done", "values of the moves, for whoever is to move"],
  ["opinions", "game, ply, players", "for each player its thought, or an error"],
  ["review", "game, done, of, moves", "all moves that were gone over so far"],
  ["run", "run, metrics", "a run, and its new measurements"],
  ["tournament", "tournament", "a tournament as it is now"],
  ["error", "about, message", "what is wrong with a message of the page, and of which type it was"],
];
