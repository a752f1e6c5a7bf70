/** Axes: round numbers between two ends, and where they lie. */

/**
 * Round numbers from least to most.
 *
 * @param {number} least
 * @param {number} most
 * @param {number} wanted about how many
 * @returns {number[]}
 */
export function ticks(least, most, wanted) {
  const span = most - least;
  if (!(span > 0)) return [least];
  const rough = span / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999) ?? 10 * power;
  const first = Math.ceil(least / step - 1e-9);
  const last = Math.floor(most / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/**
 * A function from numbers between two ends to places between two others.
 *
 * @param {[number, number]} from
 * @param {[number, number]} to
 * @returns {(value: number) => number}
 */
export function linear([from, to], [start, end]) {
  const span = to - from || 1;
  return (value) => start + ((value - from) / span) * (end - start);
}

/**
 * The ends of all numbers, with a little air; equal ends are put apart.
 *
 * @param {number[]} numbers
 * @param {number} [air]
 * @returns {[number, number]}
 */
export function extent(numbers, air = 0.05) {
  if (!numbers.length) return [0, 1];
  let [least, most] = [Infinity, -Infinity];
  for (const number of numbers) {
    if (number < least) least = number;
    if (number > most) most = number;
  }
  const space = (most - least) * air || Math.abs(most) * air || 1;
  // Numbers that are never negative keep their zero.
  return [least >= 0 && least - space < 0 ? 0 : least - space, most + space];
}

/** A path through points; where a number is missing, it is broken. @param {[number, number][]} points */
export function pathOf(points) {
  let path = "";
  let pen = "M";
  for (const [x, y] of points) {
    if (Number.isFinite(y)) {
      path += `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
      pen = "L";
    } else pen = "M";
  }
  return path;
}
