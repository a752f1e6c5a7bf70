/** Whether people point or press keys at the moment: a cursor is for those who press keys. */

let keys = false;

document.addEventListener("keydown", () => (keys = true), true);
document.addEventListener("pointerdown", () => (keys = false), true);

/** Whether the last thing that somebody did was to press a key. */
export function usesKeys() {
  return keys;
}
