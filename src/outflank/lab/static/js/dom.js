/** Building nodes. Data goes in as text, never as HTML. */

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "hidden", "indeterminate"]);

/**
 * @typedef {{
 *   onclick?: (event: MouseEvent & {currentTarget: Element}) => void,
 *   onsubmit?: (event: SubmitEvent) => void,
 *   [name: string]: any,
 * }} Attributes
 */

/**
 * Make an HTML element.
 *
 * Attributes that begin with "on" are listeners; null, undefined and false are left out;
 * true is an empty attribute. Children are nodes or text; null and false are left out.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...any} children nodes, text, or arrays of them
 * @returns {HTMLElementTagNameMap[Tag]} the element
 */
export function h(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/**
 * Make an SVG element, as `h` does.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...any} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

/** A part of the page that is there from the beginning, by its id. @param {string} id */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/**
 * Put these children in place of all that a node has.
 *
 * @template {Element} Node
 * @param {Node} node
 * @param {...any} children
 * @returns {Node}
 */
export function fill(node, ...children) {
  node.replaceChildren(...flat(children));
  return node;
}

/**
 * @template {Element} Node
 * @param {Node} node
 * @param {Attributes} attributes
 * @param {any[]} children
 * @returns {Node}
 */
function build(node, attributes, children) {
  node.append(...flat(children));
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name)) Object.assign(node, { [name]: value });
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value);
    }
  }
  return node;
}

/** @param {any[]} children @returns {(string | Node)[]} */
function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}
