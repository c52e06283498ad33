/** The values that break ties between shared conversations. */
import type { Owner } from "../../../ranking/ports.ts";
import type { Prepare } from "../connection.ts";

/** A question that needs more owners needs thousands: then one statement reads all of them. */
const MAX_SINGLE = 100;

export class SharedOwners {
  readonly #prepare: Prepare;
  readonly #single: (no: number) => Owner | undefined;
  #version = -1;
  #asked = 0;
  #all: Map<number, Owner> | undefined;

  constructor(prepare: Prepare, single: (no: number) => Owner | undefined) {
    this.#prepare = prepare;
    this.#single = single;
  }

  /** `version`: that of the list of conversations. */
  of(no: number, version: number): Owner | undefined {
    if (version !== this.#version) [this.#version, this.#asked, this.#all] = [version, 0, undefined];
    this.#asked += 1;
    if (this.#asked <= MAX_SINGLE) return this.#single(no);
    this.#all ??= this.#read();
    return this.#all.get(no);
  }

  #read(): Map<number, Owner> {
    const rows = this.#prepare("SELECT no, updated, id, project FROM conversations").all();
    return new Map(
      rows.map(({ no, updated, id, project }) => [
        Number(no),
        { updated: Number(updated), id: String(id), project: project === null ? undefined : String(project) },
      ]),
    );
  }
}
