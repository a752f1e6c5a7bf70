/** Numbers, times and dates as people write them. */

/** @import { Thought } from "./types.js" */

const MINUS = "\u2212";
const LONG = 10000; // from here on numbers are written shortly, where only their size matters
const GROUPED = new Intl.NumberFormat("en");
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/**
 * "+4", "−2.5", "0", "+12.3K".
 *
 * @param {number} value
 * @param {number} [digits]
 */
export function signed(value, digits = 0) {
  if (Math.abs(value) >= LONG) return (value > 0 ? "+" : MINUS) + short(Math.abs(value));
  const text = Math.abs(value).toFixed(digits);
  if (Number(text) === 0) return digits ? text : "0";
  return (value > 0 ? "+" : MINUS) + text;
}

/**
 * A number with a true minus sign and grouped thousands.
 *
 * @param {number} value
 * @param {number} [digits]
 */
export function plain(value, digits = 0) {
  const text = new Intl.NumberFormat("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
  return text.replace("-", MINUS);
}

/**
 * A value in its unit: discs without decimals if exact, results with two.
 *
 * @param {number} value
 * @param {Thought["unit"]} unit
 * @param {boolean} [exact]
 */
export function worth(value, unit, exact = false) {
  if (unit === "result") return signed(value, 2);
  if (exact || Number.isInteger(value) || Math.abs(value) >= 100) return signed(value);
  return signed(value, 1);
}

/** The words for a unit after a number. @param {Thought["unit"]} unit */
export function unitName(unit) {
  return { discs: "discs", result: "of the expected result", own: "of its own points" }[unit] ?? "";
}

/**
 * "42%"; what is there, but rounds to nothing, is "<1%".
 *
 * @param {number} share
 * @param {number} [digits]
 */
export function percent(share, digits = 0) {
  if (digits === 0 && share > 0 && share < 0.005) return "<1%";
  return `${(share * 100).toFixed(digits)}%`;
}

/** @param {number} value */
export function count(value) {
  return GROUPED.format(value);
}

/** "9,999", but "12.3K". @param {number} value */
export function brief(value) {
  return Math.abs(value) >= LONG ? short(value) : count(value);
}

/** "1.2M" for 1234567. @param {number} value */
export function short(value) {
  return SHORT.format(value);
}

/**
 * "1 game", "2 games".
 *
 * @param {number} number
 * @param {string} noun
 */
export function several(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** "1 h 05 min", "3 min 20 s", "0.4 s". @param {number} seconds */
export function duration(seconds) {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  if (whole < 172800) return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
  return `${Math.round(whole / 86400)} days`;
}

/**
 * "4:05" on a clock; under ten seconds with tenths, if they are wanted.
 *
 * @param {number} seconds
 * @param {boolean} [tenths]
 */
export function clock(seconds, tenths = false) {
  const left = Math.max(0, seconds);
  if (tenths && left < 10) return `0:0${(Math.floor(left * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(left);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

/** "3 May 2024, 14:05" of an ISO date. @param {string} iso */
export function moment(iso) {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso ?? "";
  return date.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** @param {number} number */
function two(number) {
  return String(number).padStart(2, "0");
}
