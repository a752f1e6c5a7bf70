/** Names for people of the players that results know by their specs. */

export class PlayerNames {
  #names = new Map();

  /** @param {{players: {spec: string, name: string}[]}[]} groups of /api/players */
  setGroups(groups) {
    this.#names = new Map(groups.flatMap((group) => group.players.map(({ spec, name }) => [spec, name])));
  }

  /** A player's name, with the options that it was given: "iago (depth 4)". */
  of(asked) {
    const spec = asked.replace(/,memory=\d+$/, ""); // not a person's choice
    const known = this.#names.get(spec);
    if (known) return known;
    for (const [base, name] of this.#names) {
      const rest = spec.startsWith(base) ? spec.slice(base.length) : "";
      if (/^[:,]/.test(rest)) return `${name} (${rest.slice(1).replaceAll("=", " ").replaceAll(",", ", ")})`;
    }
    return spec;
  }
}
