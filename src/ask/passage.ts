/**
 * What was read while a question is answered. Every passage gets a short name (S1, S2, …) when it is first read; only
 * what has one can be cited. The names cost the model little and can be checked.
 */

export interface Place {
  /** The collection's name; `conversations` for what was said to agents before. */
  collection: string;
  /** Path in the collection; id of the conversation. */
  document: string;
  /** Heading, or number of the message. */
  section?: string;
  /** Lines of the document, from 1, both inclusive. */
  lines?: readonly [number, number];
}

export interface Passage extends Place {
  /** Of the document. */
  title: string;
  text: string;
  /** How well a search found it; undefined where it was opened by name. */
  score?: number;
}

export interface ReadPassage extends Passage {
  ref: string;
}

export class Reading {
  readonly #passages = new Map<string, ReadPassage>();
  #tokens = 0;

  /** Names the passage. One that was read before keeps its name, and the longer of its texts. */
  add(passage: Passage): { read: ReadPassage; isNew: boolean } {
    const key = keyOf(passage);
    const known = this.#passages.get(key);
    if (!known) {
      const read = { ...passage, ref: `S${this.#passages.size + 1}` };
      this.#passages.set(key, read);
      return { read, isNew: true };
    }
    const more = !known.text.includes(passage.text.trim());
    if (more) known.text = passage.text.includes(known.text.trim()) ? passage.text : `${known.text}\n\n${passage.text}`;
    known.lines = widest(known.lines, passage.lines);
    if ((passage.score ?? 0) > (known.score ?? 0)) known.score = passage.score;
    return { read: known, isNew: more };
  }

  /** Tokens of tool results that the model was given. */
  count(tokens: number): void {
    this.#tokens += tokens;
  }

  get tokens(): number {
    return this.#tokens;
  }

  get passages(): readonly ReadPassage[] {
    return [...this.#passages.values()];
  }

  byRef(ref: string): ReadPassage | undefined {
    return this.passages.find((passage) => passage.ref === ref.toUpperCase());
  }

  /** What a model names in words: the document by its path or the end of it, the section by its heading. */
  byName(collection: string | undefined, document: string, section: string | undefined): ReadPassage | undefined {
    const ofDocument = this.passages.filter(
      (passage) =>
        (passage.document === document || passage.document.endsWith(`/${document}`)) &&
        (collection === undefined || passage.collection === collection),
    );
    if (section === undefined) return ofDocument[0];
    const plain = (text: string): string =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, " ")
        .trim();
    return ofDocument.find((passage) => plain(passage.section ?? "").endsWith(plain(section)));
  }
}

function keyOf({ collection, document, section }: Place): string {
  return [collection, document, section ?? ""].join("\0");
}

function widest(
  a: readonly [number, number] | undefined,
  b: readonly [number, number] | undefined,
): readonly [number, number] | undefined {
  return a && b ? [Math.min(a[0], b[0]), Math.max(a[1], b[1])] : (a ?? b);
}

/** `guide.md → Setup`, without the collection. */
export function placeName({ document, section }: Place): string {
  return section === undefined || section === "" ? document : `${document} → ${section}`;
}
