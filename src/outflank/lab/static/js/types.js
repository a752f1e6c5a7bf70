/**
 * The shapes of the API, written by `make types` from its document, /openapi.json; nothing runs here.
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
 * @property {number} score black's; empty squares count for the winner
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
 * @property {string | null} opening
 * @property {string} transcript
 * @property {Object<string, Thought>} thoughts by index into moves
 * @property {Clock} clock
 * @property {Side | null} thinking whose player thinks now
 * @property {boolean | null} can_stop whether the thinking player can move at once; null: nobody thinks
 * @property {boolean} can_undo
 * @property {number} given moves that it began with
 * @property {boolean} paused
 * @property {number} delay seconds between moves of two players
 * @property {number | null} budget discs that the player may give away
 * @property {GameResult | null} result
 * @property {string} created UTC, ISO 8601
 * @property {Object<string, string>} facts other facts of a record
 *
 * @typedef {Object} Thought What a player thinks of a position.
 * @property {string} move
 * @property {number | null} value the mover's view
 * @property {"discs" | "result" | "own"} unit discs; result: the expected one, from -1 to 1; own: the player's own
 *   scale
 * @property {number | null} depth
 * @property {number | null} nodes
 * @property {number} seconds
 * @property {boolean} exact the value is the score under perfect play
 * @property {string[]} line the moves that it expects, its own first
 * @property {Object<string, number>} values by move
 * @property {"probabilities" | "values"} kind what `values` are
 * @property {Object<string, number>} [policy] probabilities by move
 * @property {Object<string, number>} [visits] by move, how often a search chose it
 *
 * @typedef {Object} About The version that runs here.
 * @property {string} version
 * @property {string} build how the compiled part was built
 * @property {number} cores
 *
 * @typedef {Object} AnalyseBody A position to think about, and the player that should.
 * @property {string | null} [start] 64 squares and the side to move; - X O
 * @property {string} [moves] moves in one word: f5d6c3
 * @property {string} [player]
 *
 * @typedef {Object} Analysis What a player thinks, with its spec.
 * @property {string} move
 * @property {number | null} value the mover's view
 * @property {"discs" | "result" | "own"} unit discs; result: the expected one, from -1 to 1; own: the player's own
 *   scale
 * @property {number | null} depth
 * @property {number | null} nodes
 * @property {number} seconds
 * @property {boolean} exact the value is the score under perfect play
 * @property {string[]} line the moves that it expects, its own first
 * @property {Object<string, number>} values by move
 * @property {"probabilities" | "values"} kind what `values` are
 * @property {Object<string, number>} [policy] probabilities by move
 * @property {Object<string, number>} [visits] by move, how often a search chose it
 * @property {string} player its whole spec
 *
 * @typedef {Object} BegunTournament A tournament that was started or resumed.
 * @property {number} id
 * @property {string} kind
 * @property {string[]} players specs
 * @property {string[]} names
 * @property {number} games played so far
 * @property {number} total
 * @property {"running" | "stopped" | "finished" | "failed"} state
 * @property {boolean} resumable
 * @property {number} seed
 * @property {string} created UTC, ISO 8601
 * @property {string | null} error
 * @property {boolean} repeats whether openings repeat
 * @property {RatedPlayer[]} standings
 * @property {Pairing[]} pairs
 * @property {boolean} again whether it was already in the store
 *
 * @typedef {Object} Claim A claim of a paper, and whether it holds in our results.
 * @property {string} text
 * @property {string} verdict
 * @property {string} reason
 *
 * @typedef {Object} Clock The clocks of both sides.
 * @property {number} black seconds used
 * @property {number} white seconds used
 * @property {number | null} limit seconds for each side
 * @property {Side | null} running whose clock runs
 *
 * @typedef {Object} Column A column of a table: its name in rows, its title, and how its numbers are written.
 * @property {string} name
 * @property {string} title
 * @property {string} unit
 * @property {number} digits
 *
 * @typedef {Object} Curve A chart of a run.
 * @property {string} title
 * @property {string} unit
 * @property {string} help what it shows
 * @property {Series[]} series
 *
 * @typedef {Object} Explored What was played in a position.
 * @property {number} games
 * @property {number} black won by black
 * @property {number} draws
 * @property {number} white won by white
 * @property {number} first year; 0 without games
 * @property {number} last
 * @property {Place} place
 * @property {string | null} opening
 * @property {string[]} moves that lead there; passes are put in
 * @property {number} first_year of all games
 * @property {number} last_year
 * @property {ExploredMove[]} next
 * @property {ExploredGame[]} sample
 *
 * @typedef {Object} ExploredGame A game in which the position came up.
 * @property {number} number
 * @property {string} black
 * @property {string} white
 * @property {string} year
 * @property {string} event
 * @property {number | null} score black's
 * @property {string} transcript
 *
 * @typedef {Object} ExploredMove A move that was played.
 * @property {number} games
 * @property {number} black won by black
 * @property {number} draws
 * @property {number} white won by white
 * @property {number} first year; 0 without games
 * @property {number} last
 * @property {string} move
 *
 * @typedef {Object} GameBody A game to create.
 * @property {string | null} [start] 64 squares and the side to move; - X O
 * @property {string} [moves] moves in one word: f5d6c3
 * @property {string} [black]
 * @property {string} [white]
 * @property {number | null} [minutes]
 * @property {number} [delay]
 * @property {number | null} [budget]
 * @property {boolean} [paused]
 *
 * @typedef {Object} GameResult How a game ended.
 * @property {Side | null} winner
 * @property {number} score black's
 * @property {string} reason board, record, resigned, time or error
 * @property {string} text a sentence for people
 *
 * @typedef {Object} GameRow A game of the list.
 * @property {string} id
 * @property {string} black
 * @property {string} white
 * @property {string} created
 * @property {number} plies
 * @property {GameResult | null} result
 * @property {string} transcript
 * @property {string | null} opening
 * @property {HumanSides} human
 * @property {boolean} played whether moves were made in the lab
 *
 * @typedef {Object} Gone A game that was deleted.
 * @property {"gone"} type
 * @property {string} game
 *
 * @typedef {Object} Hints Values of all moves in a position, deeper and deeper.
 * @property {"hints"} type
 * @property {string} game
 * @property {number} ply
 * @property {Object<string, number>} values by move, the mover's view
 * @property {"discs" | "result" | "own"} unit discs; result: the expected one, from -1 to 1; own: the player's own
 *   scale
 * @property {boolean} exact
 * @property {number} depth
 * @property {boolean} done whether this is final
 *
 * @typedef {Object} HumanSides Which sides people play.
 * @property {boolean} black
 * @property {boolean} white
 *
 * @typedef {Object} Ladder All players of the store, from the best rating down.
 * @property {RatedPlayer[]} players
 * @property {number} games
 *
 * @typedef {Object} LearnerRow A learner.
 * @property {string} name
 * @property {string} title
 * @property {PresetRow[]} presets
 * @property {string} default the preset that a newcomer should choose
 * @property {string | null} needs why it cannot run here; null if it can
 *
 * @typedef {Object} ListedPlayer A player that can be chosen.
 * @property {string} spec without the options
 * @property {string} name
 * @property {string} summary
 * @property {number | null} elo where it was rated; random has 0
 * @property {[number, number] | null} interval
 * @property {PlayerOption[]} options
 * @property {boolean} values whether it gives values
 * @property {boolean} handicap whether it can give discs away
 *
 * @typedef {Object} LiveError What went wrong.
 * @property {"error"} type
 * @property {string} about the type of the message that it is about
 * @property {string} message
 *
 * @typedef {Pong | TableNews | Gone | Thinking | Hints | Opinions | Review | RunNews | TournamentNews | LiveError}
 *   LiveMessage What the server says over the WebSocket /api/live.
 *
 * @typedef {Object} LostGame A game lost by an error, not on the board.
 * @property {number} game
 * @property {string} player
 * @property {string} reason
 *
 * @typedef {Object} NotExplored A position for which there are no games to explore, and why.
 * @property {Place} place
 * @property {string[]} moves
 * @property {0} games
 * @property {ExploredMove[]} next
 * @property {ExploredGame[]} sample
 * @property {string} error
 *
 * @typedef {Object} Opening A named opening.
 * @property {string} name
 * @property {string} moves in one word: f5d6c3
 *
 * @typedef {Object} Opinion What one player would do.
 * @property {string} spec
 * @property {string} name
 * @property {Thought | null} thought
 * @property {string} [error] why there is no thought
 *
 * @typedef {Object} Opinions What players would do in a position; those that have answered so far.
 * @property {"opinions"} type
 * @property {string} game
 * @property {number} ply
 * @property {Opinion[]} players
 *
 * @typedef {Object} Origin What a result was made of; what is not known is empty.
 * @property {string} commit
 * @property {string} version
 * @property {string} wthor
 * @property {string} openings
 * @property {Object<string, string>} models
 * @property {number[]} seeds
 *
 * @typedef {Object} PairGame A game of a pair.
 * @property {number} pair
 * @property {number} number
 * @property {string} black
 * @property {string} white
 * @property {number} score black's
 * @property {string} reason why it ended, if not on the board
 * @property {number} plies
 *
 * @typedef {Object} Pairing The games between two players, with their specs by name.
 * @property {string[]} players
 * @property {number} games
 * @property {number} wins
 * @property {number} draws
 * @property {number} losses
 * @property {number | null} winning_rate
 * @property {[number, number]} interval
 * @property {number | null} discs
 * @property {number | null} winning_rate_black
 * @property {number | null} winning_rate_white
 * @property {[number | null, number | null]} seconds_per_move
 * @property {number} different_games
 * @property {LostGame[]} errors
 * @property {string} first
 * @property {string} second
 *
 * @typedef {Object} PlaceInGame A position and the moves that led to it.
 * @property {string} board 64 characters row by row from a1: "-" empty, "X" black, "O" white
 * @property {Side} turn
 * @property {string[]} legal ["pass"] if the mover must pass, [] if the game is over
 * @property {boolean} over
 * @property {number} black discs
 * @property {number} white discs
 * @property {number} empties
 * @property {number} score black's; empty squares count for the winner
 * @property {string | null} opening its name, if it has one
 * @property {string[]} moves
 *
 * @typedef {Object} PlayerGroup A group of players.
 * @property {string} id
 * @property {string} title
 * @property {string} about a sentence about its players
 * @property {ListedPlayer[]} players
 * @property {string | null} notice what is wrong with some of them
 *
 * @typedef {Object} PlayerOption A number that may be chosen for a player.
 * @property {string} name
 * @property {string} label
 * @property {number | null} default null: it may be left out
 * @property {number} least
 * @property {number} most
 * @property {number} step
 * @property {string} help
 *
 * @typedef {Object} Players All players that can be chosen.
 * @property {PlayerGroup[]} groups
 * @property {string} reviewer spec of the player that reviews games
 * @property {string} hinter spec of the player that gives hints
 * @property {string} opponent spec of the player for somebody new
 *
 * @typedef {Object} Plot What is drawn: the kind (see drawing.py) and its data, anything that JSON has.
 * @property {string} kind
 * @property {Object<string, any>} data
 *
 * @typedef {Object} Pong The answer to a ping.
 * @property {"pong"} type
 *
 * @typedef {Object} PositionBody A position, by its start and the moves from there.
 * @property {string | null} [start] 64 squares and the side to move; - X O
 * @property {string} [moves] moves in one word: f5d6c3
 *
 * @typedef {Object} PresetRow A preset of a learner.
 * @property {string} name
 * @property {string} summary
 *
 * @typedef {Object} Problem What is wrong, in one line.
 * @property {string} error
 *
 * @typedef {Object} RatedPlayer A player's row with its name; without games it has no rating.
 * @property {string} spec
 * @property {number | null} elo
 * @property {[number, number] | null} interval
 * @property {number} games
 * @property {number} wins
 * @property {number} draws
 * @property {number} losses
 * @property {number | null} winning_rate
 * @property {number | null} discs
 * @property {number | null} seconds_per_move
 * @property {number} errors
 * @property {string} name
 *
 * @typedef {Object} RecordFormat A format of game records.
 * @property {string} name
 * @property {string} title
 * @property {string} extension
 *
 * @typedef {Object} RecordNames A file of names that was read.
 * @property {string} token names the players of a file that is read next
 * @property {"players" | "events"} kind
 * @property {number} names how many
 *
 * @typedef {Object} RecordRow A game of a file that was read.
 * @property {number} number
 * @property {string} black
 * @property {string} white
 * @property {string} event
 * @property {string} date
 * @property {number | null} score black's, if it is known
 * @property {number} plies
 * @property {string} begins its first moves, in one word
 *
 * @typedef {Object} Records A file of games that was read.
 * @property {string} token identifies the file when one of its games is opened
 * @property {string} format
 * @property {RecordRow[]} games
 * @property {string[]} bad the first errors
 *
 * @typedef {Object} Review The review of a game so far.
 * @property {"review"} type
 * @property {string} game
 * @property {number} done moves
 * @property {number} of moves
 * @property {ReviewedMove[]} moves
 *
 * @typedef {Object} ReviewedMove A reviewed move; values are from black's view, for graphs.
 * @property {number} ply from 1
 * @property {string} move
 * @property {Side} side
 * @property {number | null} value black's view
 * @property {string} best
 * @property {number | null} best_value black's view
 * @property {number | null} loss what the move gave away
 * @property {boolean} exact
 * @property {"discs" | "result" | "own"} unit discs; result: the expected one, from -1 to 1; own: the player's own
 *   scale
 * @property {string[]} line the best moves from there
 *
 * @typedef {Object} Row A row of a table: our figures and the paper's, by column; what has none is left out.
 * @property {string} label
 * @property {Object<string, number>} values
 * @property {Object<string, number>} paper
 * @property {Object<string, number[]>} intervals
 * @property {Object<string, number>} counts
 * @property {Object<string, any>} facts
 *
 * @typedef {Object} RunBody A run to start.
 * @property {string} learner
 * @property {string} preset
 * @property {string} name
 * @property {string[]} [settings]
 *
 * @typedef {Object} RunDetails A run with its measurements.
 * @property {string} name
 * @property {string | null} learner
 * @property {"running" | "paused" | "stopped" | "finished" | "failed"} state
 * @property {string} why it is in this state; empty if there is no reason
 * @property {boolean} elsewhere trained by a process that the lab did not start
 * @property {number} step
 * @property {number | null} steps at which it will be finished, if known
 * @property {number | null} seconds of training so far
 * @property {number | null} remaining seconds, while it trains
 * @property {string | null} error
 * @property {string | null} player spec of its newest checkpoint
 * @property {Object<string, any>} config
 * @property {Object<string, number>[]} metrics each has a `step`; whatever else is a number
 * @property {Curve[]} curves
 *
 * @typedef {Object} RunNews A run that has changed.
 * @property {"run"} type
 * @property {RunRow} run
 * @property {Object<string, number>[]} metrics those that are new
 *
 * @typedef {Object} RunRow A run of the list.
 * @property {string} name
 * @property {string | null} learner
 * @property {"running" | "paused" | "stopped" | "finished" | "failed"} state
 * @property {string} why it is in this state; empty if there is no reason
 * @property {boolean} elsewhere trained by a process that the lab did not start
 * @property {number} step
 * @property {number | null} steps at which it will be finished, if known
 * @property {number | null} seconds of training so far
 * @property {number | null} remaining seconds, while it trains
 * @property {string | null} error
 * @property {string | null} player spec of its newest checkpoint
 *
 * @typedef {Object} Seat Who plays a side.
 * @property {string} spec
 * @property {string} name who plays, with a handicap if there is one
 * @property {boolean} human
 *
 * @typedef {Object} Series A line of a chart.
 * @property {string} name of the measurement
 * @property {string} label
 *
 * @typedef {Object} StudyResult The stored result of a study, with the address of its figure, if it has one. stale:
 *   why it should be made anew; empty if it need not be.
 * @property {string} study
 * @property {number} paper
 * @property {string} title
 * @property {string} scale
 * @property {Object<string, any>} config
 * @property {Column[]} columns
 * @property {Row[]} rows
 * @property {string[]} notes
 * @property {Plot | null} plot
 * @property {string} command
 * @property {number} seconds
 * @property {Object<string, string>} versions
 * @property {string} made
 * @property {Claim[]} claims
 * @property {Object<string, Object<string, number>>} measured
 * @property {Origin} origin
 * @property {number} format
 * @property {string | null} figure
 * @property {string} stale
 *
 * @typedef {Object} StudyRow A study as lists show it: results has the scales at which there is one.
 * @property {string} name
 * @property {number} paper
 * @property {string} title
 * @property {string[]} results
 *
 * @typedef {Object} TableNews A whole game, after every change.
 * @property {"table"} type
 * @property {Table} table
 *
 * @typedef {Object} Thinking What the player to move thinks so far.
 * @property {"thinking"} type
 * @property {string} game
 * @property {Side} side
 * @property {Thought} thought
 *
 * @typedef {Object} TournamentBody A tournament to start.
 * @property {string[]} players
 * @property {number} [games]
 * @property {number} [plies]
 * @property {boolean} [gauntlet]
 * @property {number} [seed]
 *
 * @typedef {Object} TournamentDetails A tournament with its table.
 * @property {number} id
 * @property {string} kind
 * @property {string[]} players specs
 * @property {string[]} names
 * @property {number} games played so far
 * @property {number} total
 * @property {"running" | "stopped" | "finished" | "failed"} state
 * @property {boolean} resumable
 * @property {number} seed
 * @property {string} created UTC, ISO 8601
 * @property {string | null} error
 * @property {boolean} repeats whether openings repeat
 * @property {RatedPlayer[]} standings
 * @property {Pairing[]} pairs
 *
 * @typedef {Object} TournamentNews A tournament that has changed.
 * @property {"tournament"} type
 * @property {TournamentDetails} tournament
 *
 * @typedef {Object} TournamentRow A tournament of the list.
 * @property {number} id
 * @property {string} kind
 * @property {string[]} players specs
 * @property {string[]} names
 * @property {number} games played so far
 * @property {number} total
 * @property {"running" | "stopped" | "finished" | "failed"} state
 * @property {boolean} resumable
 * @property {number} seed
 * @property {string} created UTC, ISO 8601
 * @property {string | null} error
 *
 * @typedef {Object} UnreadableGame A game of the list whose file is damaged.
 * @property {string} id
 * @property {string} problem
 */

export {};
