/** Light or dark: as the system has it, until somebody chooses. */

import { fill } from "./dom.js";
import { icon } from "./icons.js";
import { keep, recall } from "./storage.js";

const system = window.matchMedia("(prefers-color-scheme: dark)");

/** Make the button change the theme. @param {HTMLElement} button */
export function startTheme(button) {
  const show = () => {
    const chosen = recall("theme");
    if (chosen) document.documentElement.dataset.theme = chosen;
    const dark = isDark();
    fill(button, icon(dark ? "sun" : "moon"));
    button.title = dark ? "Use light colours" : "Use dark colours";
    button.setAttribute("aria-label", button.title);
  };
  button.addEventListener("click", () => {
    keep("theme", isDark() ? "light" : "dark");
    show();
  });
  system.addEventListener("change", show);
  show();
}

function isDark() {
  const chosen = recall("theme");
  return chosen ? chosen === "dark" : system.matches;
}
