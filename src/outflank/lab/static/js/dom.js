/** Building nodes. Data goes in as text, never as HTML. */

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "hidden", "indeterminate"]);

/**
 * Make an HTML element.
 *
 * Attributes that begin with "on" are listeners; null, undefined and false are left out;
 * true is an empty attribute. Children are nodes or text; null and false are left out.
 *
 * @param {string} tag
 * @param {Object<string, any>} [attributes]
 * @param {...any} children nodes, text, or arrays of them
 * @returns {any} the element
 */
export function h(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/** Make an SVG element, as `h` does. */
export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

/** Put these children in place of all that a node has. */
export function fill(node, ...children) {
  node.replaceChildren(...flat(children));
  return node;
}

function build(node, attributes, children) {
  node.append(...flat(children));
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name)) node[name] = value;
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value);
    }
  }
  return node;
}

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
}
