/** Where in the page one is: "#/room/name?key=value". */

/** @typedef {{room: string, name: string | null, query: URLSearchParams}} Route */

/** @param {string} hash @returns {Route} */
export function parse(hash) {
  const text = hash.replace(/^#\/?/, "");
  const cut = text.indexOf("?");
  const path = cut < 0 ? text : text.slice(0, cut);
  const [room, ...rest] = path.split("/").map(decode);
  return { room, name: rest.join("/") || null, query: new URLSearchParams(cut < 0 ? "" : text.slice(cut)) };
}

/**
 * The hash of a place; empty values of the query are left out.
 *
 * @param {string} room
 * @param {string | number | null} [name]
 * @param {Object<string, string | number | null | undefined>} [query]
 */
export function link(room, name = null, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return `#/${room}${name ? `/${encodeURIComponent(name)}` : ""}${search ? `?${search}` : ""}`;
}

/**
 * Go to a place; the browser's back button returns.
 *
 * @param {string} room
 * @param {string | number | null} [name]
 * @param {Object<string, string | number | null | undefined>} [query]
 */
export function go(room, name = null, query = {}) {
  location.hash = link(room, name, query);
}

/**
 * Go to a place instead of this one: the back button skips this one.
 *
 * @param {string} room
 * @param {string | number | null} [name]
 * @param {Object<string, string | number | null | undefined>} [query]
 */
export function redirect(room, name = null, query = {}) {
  location.replace(link(room, name, query));
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
