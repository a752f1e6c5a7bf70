/** Keyboard shortcuts: each page sets its own; "?" lists them. */

import { h } from "../dom.js";
import { keep, recall } from "../storage.js";
import { openDialog } from "./dialog.js";

/** @typedef {{does: string, run: () => void}} Shortcut */

const ALWAYS = [
  ["Tab", "go to the board, and then:"],
  ["Arrow keys", "on the board: move the cursor"],
  ["Enter or Space", "on the board: play there"],
  ["?", "show this list"],
];
/** @type {Object<string, string>} */
const NAMES = { ArrowLeft: "←", ArrowRight: "→", Home: "Home", End: "End", " ": "Space" };

/** @type {Object<string, Shortcut>} */
let current = {};

/** Set the shortcuts of the page. @returns {() => void} takes them away @param {Object<string, Shortcut>} shortcuts */
export function setShortcuts(shortcuts) {
  current = shortcuts;
  return () => {
    if (current === shortcuts) current = {};
  };
}

/** Listen to the keyboard from now on. */
export function startShortcuts() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!(event.target instanceof Element)) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
    if (event.key === " " && event.target.closest("button, a, summary, input")) return; // presses it
    if (!recall("shortcuts", true) && event.key.length === 1) return;
    if (event.key === "?") showHelp();
    else if (Object.hasOwn(current, event.key)) current[event.key].run();
    else return;
    event.preventDefault();
  });
}

/** Show the list of shortcuts. */
export function showHelp() {
  const own = Object.entries(current).map(([key, { does }]) => [NAMES[key] ?? key, does]);
  const row = (/** @type {string[]} */ [key, does]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, does));
  /** @type {HTMLInputElement} */
  const toggle = h("input", {
    type: "checkbox",
    checked: recall("shortcuts", true),
    onchange: () => keep("shortcuts", toggle.checked),
  });
  openDialog(
    "Keyboard shortcuts",
    h("table", { class: "keys" }, h("tbody", {}, [...own, ...ALWAYS].map(row))),
    h("label", { class: "check" }, toggle, "Use single-letter shortcuts"),
  );
}

/** Whether the keys that are pressed there mean something else already. @param {Element} target */
function isTyping(target) {
  if (target.closest("textarea, select, [role=slider], [contenteditable]")) return true;
  const input = target.closest("input");
  return input !== null && !["checkbox", "button", "submit"].includes(input.type);
}
