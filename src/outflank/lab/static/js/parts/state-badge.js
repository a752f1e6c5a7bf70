/** The state of something long, with a sign, so that colour is not the only cue. */

import { h } from "../dom.js";
import { icon } from "../icons.js";

const SIGNS = { running: "start", paused: "pause", stopped: "stop", finished: "check", failed: "alert" };

/** @param {"running" | "paused" | "stopped" | "finished" | "failed"} state */
export function stateBadge(state) {
  return h("span", { class: `badge badge-${state}` }, icon(SIGNS[state]), state);
}
