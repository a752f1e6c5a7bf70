/** The games that the server keeps, newest first. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { moment, several } from "../format.js";
import { attempt } from "../notices.js";
import { link } from "../router.js";

/** @import { GameResult, GameRow, UnreadableGame } from "../types.js" */

const MOST = 50; // games that are shown

/**
 * A list that fills itself.
 *
 * @param {string} page in which a game opens
 * @param {{title?: string, fits?: (game: GameRow | UnreadableGame) => boolean}} [options] fits: whether a game is listed
 */
export function gameList(page, { title = "Earlier games", fits = () => true } = {}) {
  const list = h("ul", { class: "games", "data-test": "games" });
  const element = h("section", { class: "card", hidden: true }, h("h2", {}, title), list);
  const load = async () => {
    const games = ((await attempt(() => api.games())) ?? []).filter(fits);
    element.hidden = !games.length;
    list.replaceChildren(...games.slice(0, MOST).map((game) => row(page, game, load)));
  };
  load();
  return element;
}

/**
 * @param {string} page
 * @param {GameRow | UnreadableGame} game
 * @param {() => void} reload
 */
function row(page, game, reload) {
  const names = "problem" in game ? game.id : `${game.black} – ${game.white}`;
  const remove = async () => {
    await attempt(() => api.deleteGame(game.id));
    reload();
  };
  return h(
    "li",
    {},
    "problem" in game
      ? h("span", { class: "games-damaged" }, h("span", { class: "games-names" }, "A damaged game"), h("small", {}, game.problem))
      : h(
        "a",
        { href: link(page, game.id) },
        h("span", { class: "games-names" }, names),
        h("small", {}, [several(game.plies, "move"), outcome(game.result), moment(game.created)].filter(Boolean).join(" · ")),
      ),
    h("button", { type: "button", class: "quiet icon", "aria-label": `Delete the game ${names}`, title: "Delete", onclick: remove }, "×"),
  );
}

/** The result in words. @param {GameResult | null} result */
function outcome(result) {
  return result?.text ?? "";
}
