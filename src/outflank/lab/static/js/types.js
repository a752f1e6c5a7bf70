/**
 * The shapes of the API, for readers and editors; nothing runs here.
 *
 * Squares are "a1".."h8" (a1 top left), a pass is "pass". Sides are "black" and "white".
 *
 * @typedef {"black" | "white"} Side
 *
 * @typedef {Object} Place A position.
 * @property {string} board 64 characters row by row from a1: "-" empty, "X" black, "O" white
 * @property {Side} turn
 * @property {string[]} legal ["pass"] if the mover must pass, [] if the game is over
 * @property {boolean} over
 * @property {number} black discs
 * @property {number} white discs
 * @property {number} empties
 * @property {number} score black's
 *
 * @typedef {{spec: string, name: string, chosen: string, human: boolean}} Seat name: who plays, with a handicap if
 *   there is one; chosen: whom the spec means
 *
 * @typedef {Object} Thought What a player thinks of a position.
 * @property {string} move
 * @property {number | null} value the mover's view
 * @property {"discs" | "result" | "own"} unit
 * @property {number | null} depth
 * @property {number | null} nodes
 * @property {number} seconds
 * @property {boolean} exact
 * @property {string[]} line
 * @property {Object<string, number>} values by square
 * @property {"probabilities" | "values"} kind what `values` are
 * @property {Object<string, number>} [policy] probabilities by square, if the player has them
 * @property {Object<string, number>} [visits] by square, how often a tree search tried each move
 *
 * @typedef {Object} Table A game that is played, watched or reviewed.
 * @property {string} id
 * @property {number} version grows with every change
 * @property {Seat} black
 * @property {Seat} white
 * @property {string} start 64 characters, a space, "X" or "O"
 * @property {Place[]} plies one more than moves
 * @property {string[]} moves
 * @property {string[]} future what redo would play
 * @property {number} given moves with which it was begun
 * @property {boolean} can_undo
 * @property {boolean | null} can_stop whether who thinks now can be told to move; null: nobody thinks
 * @property {string | null} opening
 * @property {string} transcript
 * @property {Object<string, Thought>} thoughts by index into moves
 * @property {{black: number, white: number, limit: number | null, running: Side | null}} clock seconds used
 * @property {Side | null} thinking
 * @property {boolean} paused
 * @property {number} delay
 * @property {null | {winner: Side | null, score: number, reason: string, text: string}} result
 *
 * @typedef {Object} ReviewedMove
 * @property {number} ply from 1
 * @property {string} move
 * @property {Side} side
 * @property {number | null} value black's view
 * @property {string} best
 * @property {number | null} loss
 * @property {boolean} exact
 * @property {string} unit
 * @property {string[]} line
 *
 * @typedef {{room: string, name: string | null, query: URLSearchParams}} Route
 */

export {};
