/** Bringing what was asked for into view: a long list may have scrolled it away. */

/** @param {HTMLElement} element what appeared; it stays where it is if its beginning can be seen already */
export function reveal(element) {
  const { top } = element.getBoundingClientRect();
  const covered = Math.max(0, document.querySelector(".top")?.getBoundingClientRect().bottom ?? 0);
  if (top < covered || top > window.innerHeight * 0.5) element.scrollIntoView({ block: "start" });
}
