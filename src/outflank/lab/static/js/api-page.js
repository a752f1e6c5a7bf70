/** The page /api: what /openapi.json says, for people. */

import { h, part } from "./dom.js";
import { tableScroll } from "./parts/table-scroll.js";
import { HEARD, SAID } from "./socket-words.js";

const root = part("api");

/** @typedef {Object<string, any>} Facts a part of the document */

/**
 * The name of a schema, e.g. "Run" or "array of string".
 *
 * @param {Facts} [schema]
 * @returns {string}
 */
function typeName(schema = {}) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return schema.anyOf.map(typeName).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((/** @type {any} */ value) => JSON.stringify(value)).join(" or ");
  if (schema.type === "array") return `array of ${typeName(schema.items) || "anything"}`;
  return schema.type ?? "";
}

/** @param {string} caption @param {string[][]} rows */
function factsTable(caption, rows) {
  if (!rows.length) return null;
  return tableScroll(
    caption,
    h("table", { class: "facts" }, h("caption", { class: "visually-hidden" }, caption),
      h("tbody", {}, rows.map((cells) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, cells[0])), cells.slice(1).map((text) => h("td", {}, text)))))),
  );
}

/**
 * @param {Facts} schema
 * @param {Facts} all
 * @returns {string[][]}
 */
function properties(schema, all) {
  const found = schema?.$ref ? all[typeName(schema)] : schema;
  return Object.entries(found?.properties ?? {}).map(([name, one]) => [name, typeName(one), one.description ?? ""]);
}

/**
 * @param {string} path
 * @param {string} method
 * @param {Facts} facts
 * @param {Facts} all
 */
function operation(path, method, facts, all) {
  const body = Object.values(facts.requestBody?.content ?? {})[0]?.schema;
  const parameters = /** @type {Facts[]} */ (facts.parameters ?? []).map((one) => [one.name, typeName(one.schema), one.description ?? `in the ${one.in}`]);
  const answers = Object.entries(facts.responses ?? {}).map(([status, one]) => [
    status, typeName(Object.values(one.content ?? {})[0]?.schema), one.description ?? "",
  ]);
  return h(
    "section",
    { class: "card" },
    h("div", { class: "api-head" }, h("span", { class: "method" }, method.toUpperCase()), h("h2", {}, h("code", {}, path))),
    h("p", {}, facts.description ?? facts.summary ?? ""),
    h("details", {},
      h("summary", {}, "What it takes and answers"),
      factsTable("Parameters", parameters),
      body ? [h("h3", {}, `Body: ${typeName(body)}`), factsTable("Body", properties(body, all))] : null,
      h("h3", {}, "Answers"),
      factsTable("Answers", answers)),
  );
}

function socket() {
  return h(
    "section",
    { class: "card", "data-test": "socket" },
    h("div", { class: "api-head" }, h("span", { class: "method" }, "SOCKET"), h("h2", {}, h("code", {}, "/api/live"))),
    h("p", {}, "A WebSocket; every message is a JSON object with a type. It tells of games, runs and tournaments as they go on."),
    h("details", {},
      h("summary", {}, "What it takes and tells"),
      h("h3", {}, "What it takes"),
      factsTable("What it takes", SAID),
      h("h3", {}, "What it tells"),
      factsTable("What it tells", HEARD)),
  );
}

try {
  /** @type {Facts} */
  const { info, paths, components } = await (await fetch("/openapi.json")).json();
  root.replaceChildren(
    h("h1", {}, `${info.title} ${info.version}: the API`),
    h("p", {}, info.description ?? ""),
    h("p", {}, "As a document for programs: ", h("a", { href: "/openapi.json" }, "/openapi.json")),
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, facts]) => operation(path, method, facts, components?.schemas ?? {})),
    ),
    socket(),
  );
} catch {
  root.replaceChildren(h("p", { class: "error", role: "alert" }, "The lab does not answer. Is it still running?"));
}
