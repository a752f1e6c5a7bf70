/** Labelled fields of forms. */

import { h } from "../dom.js";

let number = 0;

/**
 * A label above a control, with a line of help below.
 *
 * @param {string} label
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} control
 * @param {string | null} [help]
 */
export function field(label, control, help = null) {
  control.id ||= `field-${++number}`;
  const note = help ? h("small", { id: `${control.id}-help` }, help) : null;
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, note);
}

/**
 * A number field; empty means "none".
 *
 * @param {string} label
 * @param {Object} options
 * @param {string} options.test
 * @param {number | string} [options.value]
 * @param {number} options.least
 * @param {number} options.most
 * @param {number | string} [options.step]
 * @param {string} [options.placeholder]
 * @param {string | null} [options.help]
 */
export function numberField(label, { test, value = "", least, most, step = "any", placeholder, help = null }) {
  const input = h("input", {
    type: "number", inputmode: "decimal", "data-test": test, min: least, max: most, step: step ?? "any", placeholder, value,
  });
  return { input, element: field(label, input, help) };
}

/**
 * A row of choices of which one is chosen.
 *
 * @param {string} legend
 * @param {{value: string, label: string}[]} choices
 * @param {{test: string, value: string, onChange?: (value: string) => void}} options
 */
export function choice(legend, choices, { test, value, onChange = () => {} }) {
  const name = `choice-${++number}`;
  const inputs = choices.map((one) =>
    h("input", { type: "radio", name, value: one.value, checked: one.value === value, "data-test": `${test}-${one.value}`,
      onchange: () => onChange(one.value) }),
  );
  const element = h(
    "fieldset",
    { class: "choice", "data-test": test },
    h("legend", {}, legend),
    h("div", { class: "choice-row" }, choices.map((one, index) => h("label", {}, inputs[index], h("span", {}, one.label)))),
  );
  return {
    element,
    get value() {
      return inputs.find((input) => input.checked)?.value ?? value;
    },
    set value(wanted) {
      for (const input of inputs) input.checked = input.value === wanted;
    },
  };
}

/**
 * A check box with its label.
 *
 * @param {string} label
 * @param {Object} options
 * @param {string} options.test
 * @param {boolean} [options.checked]
 * @param {(checked: boolean) => void} [options.onChange]
 * @param {boolean} [options.disabled]
 * @param {string | null} [options.title]
 */
export function check(label, { test, checked = false, onChange = () => {}, disabled = false, title = null }) {
  /** @type {HTMLInputElement} */
  const input = h("input", { type: "checkbox", "data-test": test, checked, disabled, onchange: () => onChange(input.checked) });
  return { input, element: h("label", { class: "check", title }, input, label) };
}
