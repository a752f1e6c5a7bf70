/** What this browser remembers. A browser that forbids it just forgets. */

const PREFIX = "outflank.";

/**
 * @returns {any} what was kept under the name, or `otherwise`
 * @param {string} name
 * @param {any} [otherwise]
 */
export function recall(name, otherwise = null) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/**
 * Keep a value, or forget it if it is null.
 *
 * @param {string} name
 * @param {any} value
 */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Without storage the page works all the same.
  }
}
