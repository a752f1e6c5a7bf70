/** How games ended, as a bar in three parts: black won, drawn, white won. */

import { h } from "../dom.js";
import { percent } from "../format.js";

/** @param {{games: number, black: number, draws: number, white: number}} counts */
export function shareBar({ games, black, draws, white }) {
  if (!games) return h("span", { class: "shares" });
  const part = (/** @type {string} */ name, /** @type {number} */ number) => {
    const share = number / games;
    const node = h("span", { class: `share share-${name}` }, share >= 0.16 ? percent(share) : "");
    node.style.flexGrow = String(share);
    return node;
  };
  const words = `black won ${percent(black / games)}, drawn ${percent(draws / games)}, white won ${percent(white / games)}`;
  return h("span", { class: "shares", role: "img", "aria-label": words, title: words }, part("black", black), part("draws", draws), part("white", white));
}
