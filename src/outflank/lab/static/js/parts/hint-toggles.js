/** What the board shows besides the discs: legal moves, values, what a learned player would choose. */

import { h } from "../dom.js";
import { heatMarks, together, valueMarks } from "../marks.js";
import { keep, recall } from "../storage.js";
import { check } from "./field.js";
import { Legend } from "./legend.js";

/** @import { Hints, PlayerGroup } from "../types.js" */

export class HintToggles {
  /** @type {{spec: string, name: string} | null} whose choices the heat map shows */
  #policy = null;
  legend = new Legend();

  /**
   * @param {import("../board.js").Board} board
   * @param {import("../advice.js").Advice} advice
   */
  constructor(board, advice) {
    this.board = board;
    this.advice = advice;
    const before = recall("hints", { legal: true, values: false, heat: false });
    const changed = () => this.#changed();
    this.legal = check("Legal moves", { test: "legal-toggle", checked: before.legal, onChange: changed });
    this.values = check("What each move is worth", { test: "hints-toggle", checked: before.values, onChange: changed });
    this.heat = check("What a learned player would play", {
      test: "heat-toggle", checked: before.heat, onChange: changed, disabled: true, title: "There is no learned player here yet",
    });
    this.words = h("p", { class: "muted", "data-test": "hints-legend" });
    this.element = h(
      "fieldset",
      { class: "toggles" },
      h("legend", {}, "Show on the board"),
      this.legal.element, this.values.element, this.heat.element, this.words, this.legend.element,
    );
    this.#changed();
  }

  /** Choose who the heat map is of: the first of those that learned to imitate. @param {PlayerGroup[]} groups */
  setPlayers(groups) {
    const player = groups.find((group) => group.id === "imitation")?.players[0] ?? null;
    this.#policy = player;
    this.heat.input.disabled = !player;
    this.heat.element.title = player ? `The choices of ${player.name}` : "There is no learned player here yet";
    this.#changed();
  }

  /** Values on or off, as the shortcut does. */
  flip() {
    this.values.input.checked = !this.values.input.checked;
    this.#changed();
  }

  /** Draw what is known of the position that is shown. */
  draw() {
    const { hints, opinions } = this.advice;
    const values = this.values.input.checked;
    const heat = this.heat.input.checked && this.#policy ? opinions.get(this.#policy.spec)?.thought ?? null : null;
    this.board.mark(together(heatMarks(heat), values ? valueMarks(hints) : {}));
    this.words.textContent = values ? depthWords(hints) : "";
    this.legend.show({
      legal: this.legal.input.checked && !values && "",
      last: "",
      value: values && "",
      best: values && "",
      heat: heat !== null && (this.#policy?.name ?? ""),
    });
  }

  #changed() {
    const [legal, values, heat] = [this.legal, this.values, this.heat].map(({ input }) => input.checked);
    keep("hints", { legal, values, heat });
    this.board.showsLegal = legal;
    this.advice.want({ hints: values, players: heat && this.#policy ? [this.#policy.spec] : [] });
    this.draw();
  }
}

/** What the values on the board are worth. @param {Hints | null} hints */
export function depthWords(hints) {
  if (!hints) return "";
  if (hints.exact) return "= marks the exact final score, in discs, if both sides play perfectly.";
  const unit = hints.unit === "discs" ? "Discs ahead at the end" : "Values";
  return `${unit}, looking ${hints.depth} moves ahead${hints.done ? "." : "…"}`;
}
