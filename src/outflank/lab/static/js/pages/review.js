/** Review: what each move of a game was worth, and what would have been better. */

import { Advice } from "../advice.js";
import { api } from "../api.js";
import { h } from "../dom.js";
import { several } from "../format.js";
import { icon } from "../icons.js";
import { judge, lossWords, noteOf, totals } from "../judgement.js";
import { live } from "../live.js";
import { together, valueMarks } from "../marks.js";
import { attempt, complain } from "../notices.js";
import { numberOf } from "../numbering.js";
import { BestLine } from "../parts/best-line.js";
import { check, field } from "../parts/field.js";
import { gameList } from "../parts/game-list.js";
import { depthWords } from "../parts/hint-toggles.js";
import { History } from "../parts/history.js";
import { Legend } from "../parts/legend.js";
import { Loader } from "../parts/loader.js";
import { Opinions } from "../parts/opinions.js";
import { beginning, Sharing } from "../parts/sharing.js";
import { setShortcuts } from "../parts/shortcuts.js";
import { Stage } from "../parts/stage.js";
import { ValueGraph } from "../parts/value-graph.js";
import { PlayerNames } from "../player-names.js";
import { go, link, redirect } from "../router.js";
import { Session } from "../session.js";
import { capital, transcript } from "../squares.js";
import { keep, recall } from "../storage.js";

/** @import { Losses } from "../judgement.js" */
/** @import { Route } from "../router.js" */
/** @import { Players, Review, ReviewedMove } from "../types.js" */

export const title = "Review";

/** @param {HTMLElement} root */
export function open(root) {
  return new ReviewPage(root);
}

class ReviewPage {
  /** @type {ReviewedMove[]} */
  #moves = [];
  #reviewed = ""; // which game, which moves and by whom
  /** @type {{length: number} | null} of the best line: how many of its moves are on the board */
  #ahead = null;
  opening = h("p", { class: "opening", "data-test": "opening" });
  legend = new Legend();
  progress = h("progress", { max: 1, "aria-label": "Progress of the review", "data-test": "review-progress" });
  sums = h("dl", { class: "sums", "data-test": "review-totals" });
  comment = h("p", { class: "comment", "data-test": "review-comment" });
  graphNote = h("p", { class: "muted graph-note", "data-test": "graph-note" });
  best = new BestLine((length) => this.#lookAhead(length));
  depth = h("p", { class: "muted" });
  reviewer = h("select", { "data-test": "reviewer", onchange: () => this.#changed() });
  values = check("What each move is worth", {
    test: "hints-toggle", checked: recall("review-hints", true), onChange: () => this.#toggled(),
  });
  playLink = h("a", { class: "button", "data-test": "play-from-here" }, icon("play"), "Play from here");

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.session = new Session(() => this.#changed(), () => redirect("review"));
    this.graph = new ValueGraph((ply) => this.session.look(ply));
    this.graphBox = h("div", { class: "graph-box", hidden: true }, this.graph.element, this.progress, this.graphNote);
    this.stage = new Stage({ whyNot: () => "This is a review. Choose \"Play from here\" to play on.", below: [this.graphBox] });
    this.advice = new Advice(this.session, () => this.#draw());
    this.history = new History((ply) => this.session.look(ply));
    this.opinions = new Opinions(this.advice, () => this.#draw());
    this.sharing = new Sharing(this.session);
    this.panel = h("aside", { class: "panel", "aria-label": "Review" });
    this.game = this.#gamePanel();
    root.append(h("h1", { class: "visually-hidden" }, "Review a game"), this.stage.element, this.panel);
    this.endings = [
      live.on("review", (message) => this.#received(message)),
      live.on("open", () => this.#ask(true)),
      setShortcuts(this.#shortcuts()),
    ];
    api.players().then((players) => this.#setPlayers(players), complain);
  }

  /** @param {Route} route */
  async show({ name, query }) {
    this.root.classList.toggle("is-setup", !name);
    if (!name) {
      this.session.close();
      this.graphBox.hidden = true;
      this.panel.replaceChildren(
        h("section", { class: "card" }, h("h2", {}, "Open a game"), new Loader((table) => go("review", table.id)).element),
        gameList("review", { title: "Games in this lab", fits: (game) => "problem" in game || game.plies > 0 }),
      );
      const place = await attempt(() => api.position(null, ""));
      if (place && !this.session.table) this.stage.preview(place, "Open a game to review it.");
      return;
    }
    const ply = query.has("ply") ? Number(query.get("ply")) : 0; // wherever a game ended, it opens at its start
    if (this.session.table?.id === name) {
      if (query.has("ply")) this.session.look(ply);
      return;
    }
    this.#stop();
    try {
      await this.session.open(name, { watch: true });
    } catch (error) {
      complain(error);
      redirect("review");
      return;
    }
    this.graphBox.hidden = false;
    this.panel.replaceChildren(...this.game);
    this.session.look(Number.isInteger(ply) ? ply : 0);
  }

  close() {
    this.#stop();
    for (const end of this.endings) end();
    this.advice.close();
    this.session.close();
    this.stage.close();
    this.graph.close();
  }

  #gamePanel() {
    return [
      h("section", { class: "card" }, this.opening, this.comment, this.best.element, this.history.element, this.sums),
      h("section", { class: "card" },
        h("fieldset", { class: "toggles" }, h("legend", {}, "On the board"), this.values.element, this.depth, this.legend.element),
        field("Reviewed by", this.reviewer)),
      this.opinions.element,
      h("section", { class: "card" },
        h("div", { class: "buttons" }, this.playLink, h("a", { class: "button quiet", href: "#/review", "data-test": "open-other" }, icon("file"), "Open another game")),
        this.sharing.element),
    ];
  }

  /** @param {Players} players */
  #setPlayers({ groups, reviewer }) {
    const names = new PlayerNames();
    names.setGroups(groups);
    const judges = groups
      .map((group) => ({ ...group, players: group.players.filter(({ spec, values }) => values && spec !== reviewer) }))
      .filter(({ players }) => players.length);
    this.reviewer.replaceChildren(
      h("option", { value: reviewer }, names.of(reviewer)),
      ...judges.map((group) =>
        h("optgroup", { label: group.title }, group.players.map((player) => h("option", { value: player.spec }, player.name)))),
    );
    this.opinions.setPlayers(groups);
    this.advice.want({ hints: this.values.input.checked });
    this.#ask();
  }

  /** Ask for the review if the game or the reviewer is another one, or the connection is new. */
  #ask(again = false) {
    const { table } = this.session;
    if (!table || !this.reviewer.value) return;
    const wanted = [table.id, table.start, ...table.moves, this.reviewer.value].join(" ");
    if (wanted === this.#reviewed && !again) return;
    if (wanted !== this.#reviewed) this.#moves = [];
    this.#reviewed = live.send({ type: "review", game: table.id, player: this.reviewer.value }) ? wanted : "";
  }

  #stop() {
    if (this.session.table) live.send({ type: "review", game: this.session.table.id, player: null });
    this.#reviewed = "";
    this.#moves = [];
  }

  /** @param {Review} review */
  #received({ game, done, of, moves }) {
    if (game !== this.session.table?.id) return;
    this.#moves = moves;
    this.progress.value = of ? done / of : 1;
    this.progress.hidden = done >= of;
    this.#draw();
  }

  #toggled() {
    keep("review-hints", this.values.input.checked);
    this.advice.want({ hints: this.values.input.checked });
    this.#draw();
  }

  #changed() {
    const { table, ply } = this.session;
    if (!table) return;
    this.#ahead = null;
    this.stage.show(this.session, null);
    this.opening.textContent = table.opening ?? "";
    this.playLink.href = link("play", null, { new: 1, ...beginning(this.session, ply) });
    this.advice.refresh();
    this.#ask();
    this.#draw();
  }

  #draw() {
    const { table, ply } = this.session;
    if (!table) return;
    const judged = this.#moves.map((move) => ({ ...move, ...judge(move) }));
    this.graph.show(judged, table.plies, ply);
    this.history.show(this.session, Object.fromEntries(this.#moves.map((move) => [move.ply, noteOf(move)])));
    this.#drawSums(judged);
    const here = judged.find((move) => move.ply === ply);
    this.comment.textContent = here ? commentOn(here, numberOf(table.plies[ply])) : ply === 0 ? "The start. Step through the moves, or click the graph." : "";
    this.graphNote.textContent = graphWords(this.#moves, (at) => numberOf(table.plies[at]));
    this.best.show(here ?? null, this.#ahead?.length ?? 0);
    const better = here?.symbol && here.best !== here.move && here.best !== "pass" ? { [here.best]: { better: true } } : {};
    const { hints } = this.advice;
    const marks = together(this.opinions.marks, this.values.input.checked ? valueMarks(hints) : {}, better);
    this.stage.board.mark(this.#ahead ? {} : marks); // what is known is of the game, and not of the line
    this.depth.textContent = this.values.input.checked ? depthWords(hints) : "";
    const valued = this.values.input.checked && !this.#ahead;
    this.legend.show({
      last: ply > 0 && "",
      better: !this.#ahead && Object.keys(better).length > 0 && (here?.move ?? ""),
      value: valued && "",
      best: valued && "",
      heat: !this.#ahead && this.opinions.shownName,
    });
    this.opinions.draw();
  }

  /** Show the board after some moves of the best line; none: the game's own again. @param {number} length */
  async #lookAhead(length) {
    const { present: table, ply } = this.session;
    const line = this.#moves.find((move) => move.ply === ply)?.line.slice(0, length) ?? [];
    if (!line.length) {
      this.#changed();
      return;
    }
    const moves = transcript([...table.moves.slice(0, ply - 1), ...line]) + (line.at(-1) === "pass" ? "pass" : "");
    const place = await attempt(() => api.position(table.start, moves));
    if (!place || this.session.table?.id !== table.id || this.session.ply !== ply) return;
    this.#ahead = { length };
    this.stage.aside(place, line[line.length - 1], `Not played: the best line instead of move ${numberOf(table.plies[ply])}, after ${line.join(" ")}.`);
    this.#draw();
  }

  /** @param {ReviewedMove[]} moves */
  #drawSums(moves) {
    this.sums.hidden = moves.length === 0;
    this.sums.replaceChildren(
      ...Object.entries(totals(moves)).flatMap(([side, sum]) => [h("dt", {}, capital(side)), h("dd", {}, sumWords(sum))]),
    );
  }

  #shortcuts() {
    const step = (/** @type {number} */ by) => () => void (this.session.table && this.session.look(this.session.ply + by));
    return {
      h: { does: "what each move is worth, on or off", run: () => this.values.input.click() },
      b: { does: "go to the board", run: () => this.stage.board.focus() },
      ArrowLeft: { does: "one move back", run: step(-1) },
      ArrowRight: { does: "one move on", run: step(1) },
      Home: { does: "go to the start", run: step(-Infinity) },
      End: { does: "go to the end", run: step(Infinity) },
    };
  }
}

/** One move in words. @param {ReviewedMove} move @param {number} number */
function commentOn(move, number) {
  if (move.move === "pass") return `${capital(move.side)} has no move and passes.`;
  const who = `Move ${number}: ${capital(move.side)} plays ${move.move}`;
  if (move.loss === null) return `${who}.`;
  if (move.loss < 0.05) return `${who}, a best move.`;
  return `${who} and loses ${lossWords(move.loss, move.unit)}${move.exact ? " (exact)" : ""}. Best was ${move.best}.`;
}

/** What a side gave away: "14 discs lost, 2 mistakes (?), 1 blunder (??)". @param {Losses} sum */
function sumWords({ losses, mistakes, blunders }) {
  const lost = [
    losses.discs === undefined ? "" : `${lossWords(losses.discs, "discs")} lost`,
    losses.result === undefined ? "" : `${lossWords(losses.result, "result")} lost`,
  ].filter(Boolean);
  return [...lost, `${several(mistakes, "mistake")} (?)`, `${several(blunders, "blunder")} (??)`].join(", ");
}

/** What the graph is in, or why there is little or nothing on it. @param {ReviewedMove[]} moves @param {(ply: number) => number} number of a move */
function graphWords(moves, number) {
  if (!moves.length) return "";
  const guessed = moves.filter(({ exact }) => !exact);
  const unit = guessed.find(({ value }) => value !== null)?.unit ?? null;
  const solved = moves.find(({ exact }) => exact);
  const exactly = solved ? `from move ${number(solved.ply)} on, exact discs` : "";
  if (guessed.length && !unit) return `This reviewer gives no values${solved ? `; ${exactly}` : ", so there is nothing to draw"}.`;
  if (!unit || unit === "discs") return `Discs ahead at the end${solved ? `, exact from move ${number(solved.ply)} on` : ""}. ? mistake, ?? blunder.`;
  const words = unit === "result" ? "Expected result: a win is 1, a loss \u22121" : "In this reviewer's own points, without a fixed meaning";
  return `${words}${solved ? `; ${exactly} (right scale)` : ""}.`;
}
