/** The state of something long, with a sign, so that colour is not the only cue. */

import { h } from "../dom.js";

const SIGNS = { running: "▶", paused: "‖", stopped: "■", finished: "✓", failed: "!" };

/** @param {"running" | "paused" | "stopped" | "finished" | "failed"} state */
export function stateBadge(state) {
  return h("span", { class: `badge badge-${state}` }, h("span", { "aria-hidden": "true" }, SIGNS[state] ?? ""), ` ${state}`);
}
