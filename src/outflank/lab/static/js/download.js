/** Saving what the page has as a file of the user's. */

import { h } from "./dom.js";

const KEPT = 10000; // milliseconds until the browser has it for sure

/**
 * @param {Blob} content
 * @param {string} name of the file
 */
export function download(content, name) {
  const href = URL.createObjectURL(content);
  h("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), KEPT);
}
