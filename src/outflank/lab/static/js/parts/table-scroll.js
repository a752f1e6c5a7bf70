/** A table that may be wider than its place: it scrolls there, also with the arrow keys. */

import { h } from "../dom.js";

/**
 * @param {string} label what the table shows, for screen readers
 * @param {HTMLElement} table
 */
export function tableScroll(label, table) {
  return h("div", { class: "table-scroll", tabindex: 0, role: "region", "aria-label": label }, table);
}
