/** A dialog over the page: the browser's own, so that focus and the escape key work as they should. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { placeNotices } from "../notices.js";

/**
 * @param {string} title
 * @param {...any} content children
 * @returns {{close: () => void}}
 */
export function openDialog(title, ...content) {
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: "dialog", "aria-label": title, "data-test": "dialog" },
    h(
      "div",
      { class: "dialog-head" },
      h("h2", {}, title),
      h("button", { type: "button", class: "quiet icon", "aria-label": "Close", onclick: close }, icon("close")),
    ),
    h("div", { class: "dialog-body" }, content),
  );
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  dialog.addEventListener("close", () => {
    placeNotices();
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  return { close };
}
