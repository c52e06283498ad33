/** Words that represent the text to be forgotten: each is planted in one place and searched for in every byte. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { dumpHome } from "./dump.ts";
import type { Random } from "./random.ts";

const PART_LETTERS = 9;
/** The test looks for this many letters of a part: the index stores words without their endings. */
const SEARCHED_LETTERS = 7;

export class Sentinels {
  readonly #random: Random;
  /** By the place they were planted in. */
  readonly planted = new Map<string, string>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** A word of two parts, like an identifier, which the index also stores separately. */
  word(place: string): string {
    const known = this.planted.get(place);
    if (known !== undefined) return known;
    const word = this.#part() + this.#part();
    this.planted.set(place, word);
    return word;
  }

  #part(): string {
    const letters = Array.from({ length: PART_LETTERS }, () => 97 + Math.floor(this.#random() * 26));
    const text = String.fromCharCode(...letters);
    return text.slice(0, 1).toUpperCase() + text.slice(1);
  }

  /**
   * `place in file` (a database and its log count as one) for every sentinel that any file of the folder contains, in
   * whole or in part, archives decompressed.
   */
  foundIn(dexHome: string): string[] {
    const parts = [...this.planted].flatMap(([place, word]) =>
      [word.slice(0, SEARCHED_LETTERS), word.slice(PART_LETTERS, PART_LETTERS + SEARCHED_LETTERS)].map(
        (part) => [place, part.toLowerCase()] as const,
      ),
    );
    const found = new Set<string>();
    const look = (text: string, where: string): void => {
      const lower = text.toLowerCase();
      for (const [place, part] of parts) if (lower.includes(part)) found.add(`${place} in ${where}`);
    };
    for (const entry of readdirSync(dexHome, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const where = path.slice(dexHome.length + 1);
      look(where, `the name of ${where}`);
      if (entry.isFile()) look(readFileSync(path, "latin1"), where.replace(/-wal$/, ""));
    }
    const dump = dumpHome(dexHome);
    look(JSON.stringify(dump.archive), "archives, decompressed");
    look(JSON.stringify(dump.words), "index.db, its words");
    return [...found].sort();
  }
}
