/** Where in the lab one is: "#/page/name?key=value". */

/** @typedef {{page: string, name: string | null, query: URLSearchParams}} Route */

/** @param {string} hash @returns {Route} */
export function parse(hash) {
  const text = hash.replace(/^#\/?/, "");
  const cut = text.indexOf("?");
  const path = cut < 0 ? text : text.slice(0, cut);
  const [page, ...rest] = path.split("/").map(decode);
  return { page, name: rest.join("/") || null, query: new URLSearchParams(cut < 0 ? "" : text.slice(cut)) };
}

/**
 * The hash of a place; empty values of the query are left out.
 *
 * @param {string} page
 * @param {string | number | null} [name]
 * @param {Object<string, string | number | null | undefined>} [query]
 */
export function link(page, name = null, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return `#/${page}${name ? `/${encodeURIComponent(name)}` : ""}${search ? `?${search}` : ""}`;
}

/**
 * Go to a place; the browser's back button returns.
 *
 * @param {string} page
 * @param {string | number | null} [name]
 * @param {Object<string, string | number | null | undefined>} [query]
 */
export function go(page, name = null, query = {}) {
  location.hash = link(page, name, query);
}

/**
 * Go to a place instead of this one: the back button skips this one.
 *
 * @param {string} page
 * @param {string | number | null} [name]
 * @param {Object<string, string | number | null | undefined>} [query]
 */
export function redirect(page, name = null, query = {}) {
  location.replace(link(page, name, query));
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
