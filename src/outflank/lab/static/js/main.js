/** Starts the page: rooms, routes, the socket, theme and shortcuts. */

import { api } from "./api.js";
import { h, part } from "./dom.js";
import { live } from "./live.js";
import { complain } from "./notices.js";
import { showHelp, startShortcuts } from "./parts/shortcuts.js";
import { parse } from "./router.js";
import { startTheme } from "./theme.js";
import * as arena from "./rooms/arena.js";
import * as explore from "./rooms/explore.js";
import * as learn from "./rooms/learn.js";
import * as play from "./rooms/play.js";
import * as review from "./rooms/review.js";
import * as studies from "./rooms/studies.js";
import * as watch from "./rooms/watch.js";

/** @import { Route } from "./router.js" */

/**
 * A room is a module with a `title` and `open(root)`, which returns an object with
 * `show(route)`, called for every route within the room, and `close()`.
 *
 * @typedef {{show: (route: Route) => Promise<void>, close: () => void}} Room
 * @type {Object<string, {title: string, open: (root: HTMLElement) => Room}>}
 */
const ROOMS = { play, review, watch, learn, arena, studies, explore };

const main = part("main");
const nav = /** @type {HTMLElement} */ (document.querySelector(".rooms"));
/** @type {{name: string, room: Room} | null} */
let current = null;

function showRoute() {
  const route = parse(location.hash);
  const name = Object.hasOwn(ROOMS, route.room) ? route.room : "play";
  if (current?.name !== name) {
    current?.room.close();
    main.replaceChildren();
    main.className = `room room-${name}`;
    current = { name, room: ROOMS[name].open(main) };
    window.scrollTo(0, 0);
  }
  document.title = `${ROOMS[name].title} · Outflank`;
  for (const item of nav.querySelectorAll("a")) {
    item.removeAttribute("aria-current");
    if (item.dataset.room === name) {
      item.setAttribute("aria-current", "page");
      nav.scrollLeft = item.offsetLeft - nav.offsetLeft - nav.clientWidth / 2 + item.offsetWidth / 2;
    }
  }
  Promise.resolve(current.room.show(route)).catch(complain);
}

function showConnection() {
  const bar = part("connection");
  live.on("open", () => {
    bar.hidden = true;
  });
  live.on("lost", () => {
    bar.hidden = false;
    bar.textContent = "Connection lost. Trying again…";
  });
  live.on("error", (message) => complain(message.message));
}

function showAbout() {
  api.about().then(
    (about) => {
      const build = about.build ? ` (${about.build})` : "";
      part("about").textContent = `Outflank ${about.version}${build}`;
    },
    () => {}, // The footer can do without.
  );
}

startTheme(part("theme"));
nav.append(
  ...Object.entries(ROOMS).map(([name, room]) =>
    h("a", { href: `#/${name}`, "data-room": name, "data-test": `room-${name}` }, room.title),
  ),
);
part("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
part("help").addEventListener("click", showHelp);
startShortcuts();
showConnection();
showAbout();
live.start();
window.addEventListener("hashchange", showRoute);
showRoute();
