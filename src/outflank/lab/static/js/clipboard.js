/** Copying text, also where the browser's clipboard is not allowed (a page without https). */

import { h } from "./dom.js";
import { complain, toast } from "./notices.js";

/** @param {string} what named in the notice, e.g. "The link" @param {string} text */
export async function copy(text, what) {
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else copyBySelection(text);
    toast(`${what} is copied.`); // which is read out, too
  } catch {
    complain(`Copying is not allowed here. ${what}: ${text}`);
  }
}

/** @param {string} text */
function copyBySelection(text) {
  const area = h("textarea", { class: "visually-hidden", value: text });
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("not copied");
}
