/** Taking a game elsewhere: save it as a file, copy its moves, share a link. */

import { api } from "../api.js";
import { copy } from "../clipboard.js";
import { download } from "../download.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { attempt, complain } from "../notices.js";
import { link } from "../router.js";
import { STANDARD } from "../squares.js";
import { keep, recall } from "../storage.js";
import { field } from "./field.js";

/** @import { RecordFormat } from "../types.js" */

export class Sharing {
  /** @param {import("../session.js").Session} session */
  constructor(session) {
    this.session = session;
    /** @type {HTMLSelectElement} */
    this.format = h("select", { "data-test": "format", onchange: () => keep("format", this.format.value) });
    this.element = h(
      "div",
      { class: "sharing" },
      h("div", { class: "with-button" }, field("Save as", this.format),
        h("button", { type: "button", "data-test": "save", onclick: () => this.#save() }, icon("save"), "Save")),
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "button", class: "quiet", "data-test": "share", onclick: () => this.share() }, icon("share"), "Copy a link"),
        h("button", { type: "button", class: "quiet", "data-test": "copy", onclick: () => copy(session.present.transcript, "The list of moves") }, icon("copy"), "Copy the moves"),
      ),
    );
    api.formats().then((formats) => this.#fill(formats), complain);
  }

  /** A link that opens the position that is shown, with the moves before it. */
  get url() {
    return new URL(link("play", null, beginning(this.session, this.session.ply)), location.href).href;
  }

  /** Copy the link. */
  share() {
    copy(this.url, "The link");
  }

  /** @param {RecordFormat[]} formats */
  #fill(formats) {
    this.format.replaceChildren(
      ...formats.map(({ name, title, extension }) => h("option", { value: name }, `${title} (.${extension.replace(/^\./, "")})`)),
    );
    const before = recall("format");
    if (formats.some(({ name }) => name === before)) this.format.value = before;
  }

  async #save() {
    const { table } = this.session;
    if (!table || !this.format.value) return;
    const file = await attempt(() => api.record(table.id, this.format.value));
    if (file) download(file.content, file.name);
  }
}

/**
 * The start and moves of a game up to a ply, as a link has them; the usual start is left out.
 *
 * @param {import("../session.js").Session} session
 * @param {number} ply
 */
export function beginning({ present: table }, ply) {
  const moves = table.moves.slice(0, ply).filter((move) => move !== "pass").join("");
  return { start: table.start === STANDARD ? null : table.start, moves: moves || null };
}
