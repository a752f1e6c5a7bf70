/** Train: start runs of learners, steer them, and see their curves grow. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { live } from "../live.js";
import { complain } from "../notices.js";
import { reveal } from "../parts/reveal.js";
import { RunForm } from "../parts/run-form.js";
import { progressWords, RunView } from "../parts/run-view.js";
import { stateBadge } from "../parts/state-badge.js";
import { go, link } from "../router.js";

/** @import { Route } from "../router.js" */
/** @import { RunRow } from "../types.js" */

export const title = "Train";

const AGAIN = 4000; // milliseconds between looks at the list

/** @param {HTMLElement} root */
export function open(root) {
  return new TrainPage(root);
}

class TrainPage {
  /** @type {RunRow[]} */
  #runs = [];
  /** @type {string | null} the run that is shown */
  name = null;
  /** @type {RunView | null} */
  view = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.list = h("ul", { class: "cards", "data-test": "runs" });
    this.empty = h("p", { class: "muted" }, "No training runs yet. Start one below: the preset \"smoke\" takes a few seconds.");
    this.form = new RunForm((run) => go("train", run.name));
    this.detail = h("div", { class: "detail" });
    root.append(
      h("h1", {}, "Train"),
      h("div", { class: "side" }, h("section", { class: "card" }, h("h2", {}, "Training runs"), this.empty, this.list), this.form.element),
      this.detail,
    );
    this.form.load();
    this.timer = setInterval(() => this.#refresh(), AGAIN);
    this.end = live.on("run", ({ run }) => this.#update(run));
  }

  /** @param {Route} route */
  async show({ name }) {
    this.name = name;
    this.view?.close();
    this.view = null;
    if (name) {
      this.view = new RunView(name);
      this.detail.replaceChildren(this.view.element);
      this.view.load();
      reveal(this.detail);
    } else {
      this.detail.replaceChildren(h("p", { class: "hint" }, icon("train"), "Choose a training run to see how it learns, or start a new one."));
    }
    await this.#refresh();
  }

  close() {
    clearInterval(this.timer);
    this.end();
    this.view?.close();
  }

  async #refresh() {
    if (document.hidden) return;
    try {
      this.#runs = await api.runs();
      this.#draw();
      this.warned = false;
    } catch (error) {
      if (!this.warned) complain(error); // once, and not with every look
      this.warned = true;
    }
  }

  /** @param {RunRow} run */
  #update(run) {
    const index = this.#runs.findIndex(({ name }) => name === run.name);
    if (index < 0) return;
    this.#runs[index] = run;
    this.#draw();
  }

  #draw() {
    const active = document.activeElement;
    const focused = active && this.list.contains(active) ? active.getAttribute("href") : null;
    this.empty.hidden = this.#runs.length > 0;
    this.list.replaceChildren(
      ...this.#runs.map((run) =>
        h("li", {},
          h("a", { href: link("train", run.name), "aria-current": run.name === this.name ? "true" : null },
            h("b", {}, run.name), stateBadge(run.state),
            h("small", {}, [run.learner, run.error ?? progressWords(run)].filter(Boolean).join(" · ")),
            run.steps ? h("progress", { max: 1, value: run.step / run.steps, "aria-label": `Progress of ${run.name}` }) : null)),
      ),
    );
    if (focused) [...this.list.querySelectorAll("a")].find((item) => item.getAttribute("href") === focused)?.focus();
  }
}
