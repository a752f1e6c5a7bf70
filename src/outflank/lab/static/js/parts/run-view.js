/** One run of a learner: how far it is, its curves, and its newest player. */

import { api } from "../api.js";
import { LineChart } from "../chart.js";
import { h } from "../dom.js";
import { count, duration, several } from "../format.js";
import { live } from "../live.js";
import { attempt, complain, wordsOf } from "../notices.js";
import { go } from "../router.js";
import { stateBadge } from "./state-badge.js";

/** @import { Curve, RunDetails, RunNews, RunRow } from "../types.js" */

export class RunView {
  /** @type {RunDetails["metrics"]} */
  #metrics = [];
  #seen = new Set();
  /** @type {Curve[]} */
  #curves = [];
  /** @type {LineChart[]} */
  #charts = [];
  /** @type {string | null} the spec of its newest checkpoint */
  player = null;

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.state = h("p", { class: "run-state", "data-test": "run-state" });
    this.progress = h("progress", { max: 1, "aria-label": "Progress of the run", "data-test": "run-progress", hidden: true });
    this.error = h("p", { class: "error", "data-test": "run-error" });
    this.why = h("p", { class: "muted", "data-test": "run-why" });
    this.elsewhere = h("p", { class: "muted", hidden: true }, "It was started in a terminal. Pause it there.");
    /** @type {(what: "pause" | "resume" | "stop", label: string, title: string) => HTMLButtonElement} */
    const steer = (what, label, title) =>
      h("button", { type: "button", title, hidden: true, "data-test": `${what}-run`, onclick: () => this.#steer(what) }, label);
    this.buttons = {
      pause: steer("pause", "Pause", "Saves a checkpoint and pauses. Resume continues from there."),
      resume: steer("resume", "Resume", "Continue from the last checkpoint"),
      stop: steer("stop", "Stop", "Ends the run for good. Its player and curves are kept."),
    };
    this.play = h("button", { type: "button", class: "primary", "data-test": "play-run", disabled: true, onclick: () => this.#play() }, "Play against it");
    this.charts = h("div", { class: "charts", "data-test": "run-chart" });
    this.config = h("details", { hidden: true });
    this.element = h(
      "section",
      { class: "card run" },
      h("h2", {}, name),
      this.state,
      this.progress,
      this.error,
      this.why,
      this.elsewhere,
      h("div", { class: "buttons" }, this.play, Object.values(this.buttons)),
      this.charts,
      this.config,
    );
    this.end = live.on("run", (message) => message.run.name === name && this.#received(message));
  }

  close() {
    this.isClosed = true;
    this.end();
    live.unfollow("run", this.name);
    for (const chart of this.#charts) chart.close();
  }

  async load() {
    let run;
    try {
      run = await api.run(this.name);
    } catch (error) {
      this.error.textContent = wordsOf(error); // it cannot be read, or is gone
      return;
    }
    if (this.isClosed) return;
    live.follow("run", this.name);
    this.#curves = run.curves;
    this.#charts = run.curves.map(({ title, unit, help }) => new LineChart({ title, unit, help, xLabel: "step" }));
    this.charts.replaceChildren(...this.#charts.map((chart) => chart.element));
    this.config.hidden = false;
    this.config.replaceChildren(
      h("summary", {}, "Settings of this run"),
      h("dl", { class: "config" }, Object.entries(run.config).flatMap(([key, value]) => [h("dt", {}, key), h("dd", {}, text(value))])),
    );
    this.#add(run.metrics);
    this.#show(run);
  }

  /** @param {RunNews} news */
  #received({ run, metrics }) {
    this.#add(metrics);
    this.#show(run);
  }

  /** The same line may come by both ways, REST and socket. @param {RunDetails["metrics"]} lines */
  #add(lines) {
    for (const line of lines) {
      const key = JSON.stringify(line);
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      this.#metrics.push(line);
    }
    this.#metrics.sort((a, b) => a.step - b.step);
    this.#charts.forEach((chart, index) => {
      chart.show(
        this.#curves[index].series.map(({ name, label }) => ({
          label,
          points: this.#metrics.filter((line) => Number.isFinite(line[name])).map((line) => [line.step, line[name]]),
        })),
      );
    });
  }

  /** @param {RunRow} run */
  #show(run) {
    this.state.replaceChildren(stateBadge(run.state), progressWords(run));
    this.progress.hidden = !run.steps;
    this.progress.value = run.steps ? run.step / run.steps : 0;
    this.error.textContent = run.error ?? "";
    this.why.textContent = run.error ? "" : run.why;
    this.elsewhere.hidden = !run.elsewhere;
    this.buttons.pause.hidden = run.elsewhere || run.state !== "running";
    this.buttons.stop.hidden = run.elsewhere || !["running", "paused"].includes(run.state);
    this.buttons.resume.hidden = run.elsewhere || !["paused", "stopped", "failed"].includes(run.state);
    this.play.disabled = !run.player;
    this.play.title = run.player ? "" : "It has no checkpoint to play against yet";
    this.player = run.player;
  }

  /** @param {"pause" | "resume" | "stop"} what */
  async #steer(what) {
    const run = await attempt(() => api.steerRun(this.name, what));
    if (run) this.#show(run);
  }

  async #play() {
    if (!this.player) return;
    try {
      const table = await api.newGame({
        black: "human", white: this.player, start: null, moves: "", minutes: null, delay: 0, budget: null, paused: false,
      });
      go("play", table.id);
    } catch (error) {
      complain(error);
    }
  }
}

/** "1,200 of 4,000 steps · 3 min 20 s · 8 min 00 s left". @param {RunRow} run */
export function progressWords(run) {
  return [
    run.steps ? `${count(run.step)} of ${count(run.steps)} steps` : several(run.step, "step"),
    run.seconds ? duration(run.seconds) : null,
    run.remaining !== null && run.state === "running" ? `about ${duration(run.remaining)} left` : null,
  ].filter(Boolean).join(" · ");
}

/** @param {any} value */
function text(value) {
  return value !== null && typeof value === "object" ? JSON.stringify(value) : String(value);
}
