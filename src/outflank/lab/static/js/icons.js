/** Icons, drawn: lines of one weight on a grid of 24, in the colour of the text beside them. */

import { svg } from "./dom.js";

/** @type {Object<string, string>} the lines of each */
const PATHS = {
  play: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 3a9 9 0 0 1 0 18z",
  review: "M4 18l5-6 4 3 7-9M16 6h4v4",
  watch: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  train: "M12 20v-7M12 13c0-4-3-6-7-6 0 4 3 6 7 6zM12 11c0-4 2.5-6.500 7-6.500 0 4.500-2.500 6.500-7 6.500",
  arena: "M8 4h8v6a4 4 0 0 1-8 0zM8 6H4.500c0 3 1 4.500 3.500 4.500M16 6h3.500c0 3-1 4.500-3.500 4.500M12 14v4M8.500 20h7",
  studies: "M4 5.500c3-1 5.500-.5 8 1v13c-2.500-1.500-5-2-8-1zM20 5.500c-3-1-5.500-.5-8 1v13c2.500-1.500 5-2 8-1z",
  explore: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM15.500 8.500l-2 5-5 2 2-5z",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M18.700 5.300l-1.400 1.400M6.700 17.300l-1.400 1.400",
  moon: "M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500z",
  keyboard: "M3 7h18v11H3zM6.500 10.500h.01M10 10.500h.01M14 10.500h.01M17.500 10.500h.01M8 14.500h8",
  first: "M18 6l-6 6 6 6M11 6l-6 6 6 6",
  previous: "M15 6l-6 6 6 6",
  next: "M9 6l6 6-6 6",
  last: "M6 6l6 6-6 6M13 6l6 6-6 6",
  undo: "M8 5L4 9l4 4M4 9h10a5.500 5.500 0 0 1 0 11h-3",
  redo: "M16 5l4 4-4 4M20 9H10a5.500 5.500 0 0 0 0 11h3",
  swap: "M7 4L3.500 7.500 7 11M3.500 7.500h14M17 13l3.500 3.500L17 20M20.500 16.500h-14",
  flag: "M6 21V4M6 4.500c4-2 7 2 12 0v8.500c-5 2-8-2-12 0",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  share: "M12 14V3.500M8 7l4-3.500L16 7M6 11H5v9.500h14V11h-1",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  save: "M12 4v11M8 11.500l4 3.500 4-3.500M5 20h14",
  file: "M12 15V4M8 7.500L12 4l4 3.500M5 20h14",
  pause: "M9 5v14M15 5v14",
  start: "M8 5l11 7-11 7z",
  step: "M6 5l9 7-9 7zM18.500 5v14",
  restart: "M4 12a8 8 0 1 0 2.500-5.800M4 4.500v4h4",
  check: "M5 12.500l4.500 4.500L19 7",
  stop: "M7 7h10v10H7z",
  alert: "M12 4L2.500 20h19zM12 10v5M12 17.500h.01",
  wrong: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9 9l6 6M15 9l-6 6",
  grid: "M4 4h16v16H4zM4 12h16M12 4v16",
};

/**
 * An icon; what it means is said by the words beside it, or by its button's label.
 *
 * @param {string} name
 */
export function icon(name) {
  return svg("svg", { class: "drawn", viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));
}
