/** The form that starts a run of a learner. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { attempt } from "../notices.js";
import { capital } from "../squares.js";
import { field } from "./field.js";

/** @import { LearnerRow, RunRow } from "../types.js" */

export class RunForm {
  /** @type {LearnerRow[]} */
  #learners = [];

  /** @param {(run: RunRow) => void} onStart */
  constructor(onStart) {
    this.onStart = onStart;
    this.learner = h("select", { "data-test": "learner", onchange: () => this.#chosen() });
    this.preset = h("select", { "data-test": "preset", onchange: () => this.#described() });
    this.name = h("input", {
      type: "text", "data-test": "run-name", required: true, maxlength: 40, spellcheck: "false",
      pattern: "[A-Za-z0-9][A-Za-z0-9_+\\-]*", title: "Letters, digits and dashes",
    });
    this.settings = h("textarea", { rows: 2, spellcheck: "false", "data-test": "run-settings", placeholder: "field=value, one to a line" });
    this.summary = h("p", { class: "summary" });
    this.needs = h("p", { class: "error", "data-test": "learner-needs" });
    this.button = h("button", { type: "submit", class: "primary", "data-test": "start-run" }, "Start training");
    this.element = h(
      "form",
      { class: "card", onsubmit: (event) => this.#submit(event) },
      h("h2", {}, "Start a training run"),
      field("How it learns", this.learner),
      this.needs,
      field("Preset", this.preset),
      this.summary,
      h("details", { class: "advanced" }, h("summary", {}, "Advanced"), field("Name of the run", this.name), field("Settings", this.settings, "Overrides the preset: one field=value a line.")),
      h("div", { class: "buttons" }, this.button),
    );
  }

  async load() {
    this.#learners = (await attempt(() => api.learners())) ?? [];
    this.learner.replaceChildren(...this.#learners.map(({ name, title }) => h("option", { value: name }, title)));
    const ready = this.#learners.find(({ needs }) => !needs);
    if (ready) this.learner.value = ready.name;
    this.#chosen();
  }

  get #current() {
    return this.#learners.find(({ name }) => name === this.learner.value) ?? null;
  }

  #chosen() {
    const learner = this.#current;
    this.preset.replaceChildren(...(learner?.presets ?? []).map(({ name }) => h("option", { value: name }, name)));
    if (learner) this.preset.value = learner.default;
    this.needs.textContent = learner?.needs ?? "";
    this.button.disabled = !learner || Boolean(learner.needs);
    this.#described();
  }

  #described() {
    const preset = this.#current?.presets.find(({ name }) => name === this.preset.value);
    this.summary.textContent = preset?.summary ? `${capital(preset.summary)}.` : "";
    if (!this.isNamed) this.name.value = this.#current ? `${this.#current.name}-${dayAndTime()}` : "";
  }

  /** Whether somebody gave the name, and not this form. */
  get isNamed() {
    return this.name.value !== "" && !/-\d{4}-\d{4,6}$/.test(this.name.value);
  }

  /** @param {SubmitEvent} event */
  async #submit(event) {
    event.preventDefault();
    this.button.disabled = true;
    const run = await attempt(() =>
      api.startRun({
        learner: this.learner.value,
        preset: this.preset.value,
        name: this.name.value.trim(),
        settings: this.settings.value.split("\n").map((line) => line.trim()).filter(Boolean),
      }),
    );
    this.button.disabled = false;
    if (run) {
      this.name.value = "";
      this.#described();
      this.onStart(run);
    }
  }
}

/** "0314-150926": a name that is not taken yet, most likely. */
function dayAndTime() {
  const now = new Date();
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${two(now.getMonth() + 1)}${two(now.getDate())}-${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}`;
}
