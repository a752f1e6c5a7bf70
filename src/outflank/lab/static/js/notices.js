/** Notices: a polite live region for screen readers, and toasts for errors. */

import { h, part } from "./dom.js";
import { icon } from "./icons.js";

const TOAST = 7000; // milliseconds that a toast stays

/** Put the notices where they are seen and heard: an open dialog makes all outside of it inert. */
export function placeNotices() {
  const notices = part("notices");
  const home = document.querySelector("dialog[open]") ?? document.body;
  if (notices.parentElement !== home) home.append(notices);
}

/** Say something to screen readers, e.g. "White plays d6. Your turn." @param {string} text */
export function say(text) {
  placeNotices();
  const region = part("message");
  // The same words again are announced only if the text changes.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}

/** Show a short notice that goes away. @param {"error" | "good"} kind @param {string} text */
export function toast(text, kind = "good") {
  const close = h("button", { type: "button", class: "quiet icon", "aria-label": "Close this notice" }, icon("close"));
  const box = h("div", { class: `toast toast-${kind}`, "data-test": "toast" }, h("p", {}, text), close);
  close.addEventListener("click", () => box.remove());
  placeNotices();
  const toasts = part("toasts");
  if (toasts.childElementCount >= 3) toasts.firstElementChild?.remove();
  toasts.append(box);
  setTimeout(() => box.remove(), TOAST);
}

/** Show what went wrong. @param {unknown} error an Error, or words */
export function complain(error) {
  toast(wordsOf(error), "error");
  if (error instanceof TypeError || error instanceof ReferenceError) console.error(error);
}

/** What an error says to people. @param {unknown} error */
export function wordsOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Run an action and show its error, if any.
 *
 * @template Answer
 * @param {() => Promise<Answer>} action
 * @returns {Promise<Answer | undefined>}
 */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    complain(error);
    return undefined;
  }
}
