/** Starts the lab: pages, routes, the socket, theme and shortcuts. */

import { api } from "./api.js";
import { h, part } from "./dom.js";
import { icon } from "./icons.js";
import { live } from "./live.js";
import { complain } from "./notices.js";
import { showHelp, startShortcuts } from "./parts/shortcuts.js";
import { parse, redirect } from "./router.js";
import { startTheme } from "./theme.js";
import * as arena from "./pages/arena.js";
import * as explore from "./pages/explore.js";
import * as play from "./pages/play.js";
import * as review from "./pages/review.js";
import * as studies from "./pages/studies.js";
import * as train from "./pages/train.js";
import * as watch from "./pages/watch.js";

/** @import { Route } from "./router.js" */

/**
 * A page is a module with a `title` and `open(root)`, which returns an object with
 * `show(route)`, called for every route within the page, and `close()`.
 *
 * @typedef {{show: (route: Route) => Promise<void>, close: () => void}} Page
 * @type {Object<string, {title: string, open: (root: HTMLElement) => Page}>}
 */
const PAGES = { play, review, watch, train, arena, studies, explore };
/** @type {Object<string, string>} names that pages had, for links of old */
const RENAMED = { learn: "train" };

const main = part("main");
const nav = /** @type {HTMLElement} */ (document.querySelector(".pages"));
/** @type {{name: string, page: Page} | null} */
let current = null;

function showRoute() {
  const route = parse(location.hash);
  if (Object.hasOwn(RENAMED, route.page)) {
    redirect(RENAMED[route.page], route.name);
    return;
  }
  const name = Object.hasOwn(PAGES, route.page) ? route.page : "play";
  if (current?.name !== name) {
    current?.page.close();
    main.replaceChildren();
    main.className = `page page-${name}`;
    current = { name, page: PAGES[name].open(main) };
    window.scrollTo(0, 0);
  }
  document.title = `${PAGES[name].title} · Outflank`;
  for (const item of nav.querySelectorAll("a")) {
    item.removeAttribute("aria-current");
    if (item.dataset.page === name) {
      item.setAttribute("aria-current", "page");
    }
  }
  Promise.resolve(current.page.show(route)).catch(complain);
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
      part("about").textContent = `Outflank ${about.version}`;
    },
    () => {}, // The footer can do without.
  );
}

startTheme(part("theme"));
nav.append(
  ...Object.entries(PAGES).map(([name, page]) =>
    h("a", { href: `#/${name}`, "data-page": name, "data-test": `page-${name}` }, icon(name), h("span", {}, page.title)),
  ),
);
part("skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
part("help").append(icon("keyboard"));
part("help").addEventListener("click", showHelp);
startShortcuts();
showConnection();
showAbout();
live.start();
window.addEventListener("hashchange", showRoute);
showRoute();
