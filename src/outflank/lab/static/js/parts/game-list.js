/** The games that the server keeps, newest first. */

import { api } from "../api.js";
import { h } from "../dom.js";
import { moment, several } from "../format.js";
import { icon } from "../icons.js";
import { attempt } from "../notices.js";
import { link } from "../router.js";
import { SureButton } from "./sure-button.js";

/** @import { GameRow, UnreadableGame } from "../types.js" */

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

/** Whether moves were made in the lab: not only looked at, or set up and left. @param {GameRow | UnreadableGame} game */
export function wasPlayed(game) {
  return !("problem" in game) && game.played;
}

/**
 * @param {string} page
 * @param {GameRow | UnreadableGame} game
 * @param {() => void} reload
 */
function row(page, game, reload) {
  const names = "problem" in game ? game.id : `${game.black} – ${game.white}`;
  const remove = new SureButton({
    face: [icon("close")],
    question: "Delete?",
    attributes: { class: "quiet icon", "aria-label": `Delete the game ${names}`, title: "Delete", "data-test": "delete-game" },
    run: async () => {
      await attempt(() => api.deleteGame(game.id));
      reload();
    },
  });
  return h(
    "li",
    {},
    "problem" in game
      ? h("span", { class: "games-damaged" }, h("span", { class: "games-names" }, "A damaged game"), h("small", {}, game.problem))
      : h(
        "a",
        { href: link(page, game.id) },
        h("span", { class: "games-names" }, names),
        h("small", {}, [several(game.transcript.length / 2, "move"), game.result?.text ?? "not finished", moment(game.created)].join(" · ")),
      ),
    remove.element,
  );
}
