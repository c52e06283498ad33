/**
 * The passages read for one answer. Each gets a short label (S1, S2, …) when it is first read, and only labelled
 * passages can be cited. Labels cost the model few tokens and can be checked.
 */
import { defined } from "../kernel/defined.ts";
import { plainWords } from "../text/plain_words.ts";
import { withoutInjected } from "./quoting/injected.ts";

/** Names that replace a collection's name for other sources. */
export const CONVERSATIONS = "conversations";
export const CODE = "code";
export const COMMITS = "commits";
export const DECISIONS = "decisions";

/** Sources of the project besides its documents. */
const OF_PROJECT: readonly string[] = [CODE, COMMITS, CONVERSATIONS, DECISIONS];

export function isDocument({ collection }: Pick<PassageLocation, "collection">): boolean {
  return !OF_PROJECT.includes(collection);
}

export interface PassageLocation {
  /** The collection's name; `conversations` for messages of earlier conversations. */
  collection: string;
  /** Path in the collection, or id of the conversation. */
  document: string;
  /** Heading, or number of the message. */
  section?: string;
  /** Lines of the document, from 1, both inclusive. */
  lines?: readonly [number, number];
  /** For a shared conversation: the member and machine that it comes from, and the shared project. */
  owner?: string;
  machine?: string;
  scope?: string;
  /** For a message of a conversation. */
  message?: MessageOrigin;
}

/**
 * The facts by which a reader recognises a message: an id alone means nothing to a person, and its content may be
 * outdated.
 */
export interface MessageOrigin {
  /** As short as commands accept it: `69d8706c#64`. */
  address: string;
  /** The conversation's title. */
  title: string;
  /** The agent's name, as people write it. */
  agent: string;
  /** The folder of the conversation's project, by its name alone. */
  project?: string;
  /** The day on which it was written, in the local time zone. */
  date: string;
}

export interface Passage extends PassageLocation {
  /** The document's title. */
  title: string;
  text: string;
  /** A problem that the text solves. It counts as evidence, but is not quoted. */
  problem?: string;
  /** Its score in a search; undefined when it was opened by name. */
  score?: number;
  /** A statement of a manifest that answers a question about nothing else. */
  stated?: true;
  /** A definition whose name is in the question, written as in code. */
  named?: true;
}

export interface ReadPassage extends Passage {
  ref: string;
}

export class Reading {
  readonly #passages = new Map<string, ReadPassage>();
  #tokens = 0;

  /**
   * Labels a passage, and removes injected text from it. A passage that was read before keeps its label and the longer
   * text.
   */
  add(given: Passage): { read: ReadPassage; isNew: boolean } {
    const passage = { ...given, text: withoutInjected(given.text) };
    if (given.problem !== undefined) passage.problem = withoutInjected(given.problem);
    const key = keyOf(passage);
    const known = this.#passages.get(key);
    if (!known) {
      const read = { ...passage, ref: `S${this.#passages.size + 1}` };
      this.#passages.set(key, read);
      return { read, isNew: true };
    }
    const more = !known.text.includes(passage.text.trim());
    if (more) known.text = passage.text.includes(known.text.trim()) ? passage.text : `${known.text}\n\n${passage.text}`;
    if (passage.problem !== undefined) known.problem = passage.problem;
    known.lines = widest(known.lines, passage.lines);
    if ((passage.score ?? 0) > (known.score ?? 0)) known.score = passage.score;
    return { read: known, isNew: more };
  }

  /** Counts tokens of tool results that the model received. */
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

  /**
   * Finds a passage that a model cites by name: the document by its path or the end of it, the section by its heading.
   */
  byName(collection: string | undefined, document: string, section: string | undefined): ReadPassage | undefined {
    const ofDocument = this.passages.filter(
      (passage) =>
        (passage.document === document || passage.document.endsWith(`/${document}`)) &&
        (collection === undefined || passage.collection === collection),
    );
    if (section === undefined) return ofDocument[0];
    return ofDocument.find((passage) => plainWords(passage.section ?? "").endsWith(plainWords(section)));
  }
}

function keyOf({ collection, document, section }: PassageLocation): string {
  return [collection, document, section ?? ""].join("\0");
}

function widest(
  a: readonly [number, number] | undefined,
  b: readonly [number, number] | undefined,
): readonly [number, number] | undefined {
  return a && b ? [Math.min(a[0], b[0]), Math.max(a[1], b[1])] : (a ?? b);
}

export function locationOf(passage: Passage): PassageLocation {
  const { collection, document, section, lines, owner, machine, scope, message } = passage;
  return defined({ collection, document, section: section || undefined, lines, owner, machine, scope, message });
}

/** `guide.md → Setup`, without the collection; `69d8706c#64 "Fix the login" (Claude Code in shop, 2026-07-12)`. */
export function placeName({ document, section, message }: PassageLocation): string {
  if (message) {
    const { address, title, agent, project, date } = message;
    return `${address} "${title}" (${agent}${project === undefined ? "" : ` in ${project}`}, ${date})`;
  }
  return section === undefined || section === "" ? document : `${document} → ${section}`;
}
