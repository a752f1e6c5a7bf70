/** The state of something long, with a sign so that it is not told by colour alone. */

import { h } from "../dom.js";

const SIGNS = { running: "▶", paused: "‖", stopped: "■", finished: "✓", failed: "!" };

/** @param {"running" | "paused" | "stopped" | "finished" | "failed"} state */
export function stateBadge(state) {
  return h("span", { class: `badge badge-${state}` }, h("span", { "aria-hidden": "true" }, SIGNS[state] ?? ""), ` ${state}`);
}
