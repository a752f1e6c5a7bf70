/** Where in the page one is: "#/room/name?key=value". */

/** @returns {import("./types.js").Route} */
export function parse(hash) {
  const text = hash.replace(/^#\/?/, "");
  const cut = text.indexOf("?");
  const path = cut < 0 ? text : text.slice(0, cut);
  const [room, ...rest] = path.split("/").map(decode);
  return { room, name: rest.join("/") || null, query: new URLSearchParams(cut < 0 ? "" : text.slice(cut)) };
}

/** The hash of a place; empty values of the query are left out. */
export function link(room, name = null, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given).toString();
  return `#/${room}${name ? `/${encodeURIComponent(name)}` : ""}${search ? `?${search}` : ""}`;
}

/** Go to a place; the browser's back button returns. */
export function go(room, name = null, query = {}) {
  location.hash = link(room, name, query);
}

/** Go to a place instead of this one: the back button skips this one. */
export function redirect(room, name = null, query = {}) {
  location.replace(link(room, name, query));
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
