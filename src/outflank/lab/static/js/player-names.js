/** Names for people of players of which only the specs are known. */

export class PlayerNames {
  /** @type {Map<string, string>} */
  #names = new Map();

  /** @param {{players: {spec: string, name: string}[]}[]} groups of /api/players */
  setGroups(groups) {
    this.#names = new Map(groups.flatMap((group) => group.players.map(({ spec, name }) => [spec, name])));
  }

  /** A player's name, with the options that it was given: "iago (depth 4)". @param {string} spec */
  of(spec) {
    const known = this.#names.get(spec);
    if (known) return known;
    for (const [base, name] of this.#names) {
      const rest = spec.startsWith(base) ? spec.slice(base.length) : "";
      if (/^[:,]/.test(rest)) return `${name} (${rest.slice(1).replaceAll("=", " ").replaceAll(",", ", ")})`;
    }
    return spec;
  }
}
