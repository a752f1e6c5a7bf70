/** The messages of the socket, for the page /api: type, further fields, meaning. */

/** What a page sends. */
export const SAID = [
  ["ping", "", "asks whether the server is there; the answer is pong"],
  ["join", "game, watch?", "report every change of this game; watch: without starting clocks and players"],
  ["leave", "game", "stop reporting it"],
  ["move", "game, ply, move", "play after the first ply moves; later moves are dropped"],
  ["goto", "game, ply", "go to a ply; later moves can be redone"],
  ["undo", "game", "take back a resignation, or else to the last choice of a person"],
  ["redo", "game", "replay moves that were taken back"],
  ["swap", "game", "swap the seats"],
  ["restart", "game", "back to the beginning of the game"],
  ["pause", "game", "stop clocks and players"],
  ["go", "game", "continue after a pause"],
  ["step", "game", "play one move, then pause"],
  ["stop", "game", "make the thinking player move now"],
  ["resign", "game, side", "resign"],
  ["delay", "game, seconds", "shortest time of a move between two players"],
  ["hints", "game, ply", "value all moves of a position, deeper and deeper; ply null: stop"],
  ["opinions", "game, ply, players", "what these players, given by their specs, would do"],
  ["review", "game, player", "review the game with a player; null: stop"],
  ["follow", "what, name, on", "follow a run or a tournament (what), or stop following it"],
];

/** What the server sends. */
export const HEARD = [
  ["pong", "", "the answer to ping"],
  ["table", "table", "a game as it is now, the same as GET /api/games/{key}"],
  ["thinking", "game, side, thought", "what a player thinks so far"],
  ["gone", "game", "the game was deleted"],
  ["hints", "game, ply, values, unit, exact, depth, done", "values of the moves, for the side to move"],
  ["opinions", "game, ply, players", "for each player its thought, or an error"],
  ["review", "game, done, of, moves", "all moves reviewed so far"],
  ["run", "run, metrics", "a run, and its new measurements"],
  ["tournament", "tournament", "a tournament as it is now"],
  ["error", "about, message", "what is wrong with a message of the page, and the type of that message"],
];
