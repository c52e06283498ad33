/** Finds the message whose edit wrote a line. Each conversation is read once, however many lines are looked up. */
import { callFiles } from "../../conversations/activity/derive.ts";
import { callKind } from "../../conversations/activity/tools.ts";
import type { Message } from "../../conversations/model.ts";
import type { Json } from "../../kernel/json.ts";
import type { TrailConversation } from "../../store/trails.ts";
import type { CommitLinks } from "../links.ts";
import type { LoadConversation } from "../scan.ts";

export interface LineWriter {
  row: TrailConversation;
  /** The index of the message. */
  index: number;
  time: number;
}

/** Conversations that are searched for one line, the likeliest first, and for all lines of a call. */
const MAX_SEARCHED_PER_LINE = 8;
const MAX_SEARCHED = 60;
/** A line may be written this long before it is committed. */
const MAX_EDIT_AGE_MS = 30 * 86_400_000;
/** Commit times are whole seconds. */
const ROUNDING_MS = 1000;
/** Shorter lines (`}`, `return;`) occur everywhere. */
const MIN_LINE_CHARS = 8;

export interface WrittenLine {
  /** The names of its file now and in its commit. */
  names: readonly string[];
  text: string;
  authored: number;
  /** The conversation that made its commit. */
  linked: string | undefined;
}

export function isShort(line: string): boolean {
  return line.trim().length < MIN_LINE_CHARS;
}

interface Edit {
  index: number;
  time: number;
  lines: Set<string>;
}

export class LineWriters {
  readonly #links: CommitLinks;
  readonly #load: LoadConversation;
  readonly #edits = new Map<string, readonly Edit[]>();
  readonly #near = new Map<string, readonly TrailConversation[]>();
  /** Conversations that were not searched because there were too many. */
  left = 0;

  constructor(links: CommitLinks, load: LoadConversation) {
    this.#links = links;
    this.#load = load;
  }

  /**
   * The last edit with this line before the commit. The conversation that made the commit is searched first. `beside`: the
   * writer of the line next to it, which decides for lines that are too short to be unique.
   */
  of(line: WrittenLine, beside: () => LineWriter | undefined): LineWriter | undefined {
    const wanted = line.text.trim();
    if (isShort(line.text)) {
      const writer = beside();
      const edit = writer && this.#editsOf(writer.row, line.names)?.find(({ index }) => index === writer.index);
      return wanted === "" || edit?.lines.has(wanted) ? writer : undefined;
    }
    for (const row of this.#candidates(line)) {
      const edits = this.#editsOf(row, line.names);
      const found = edits?.findLast(({ time, lines }) => time <= line.authored + ROUNDING_MS && lines.has(wanted));
      if (found) return { row, index: found.index, time: found.time };
    }
    return undefined;
  }

  /** Conversations that edited the file before the commit: the one that made it, then the nearest in time. */
  #candidates({ names, authored, linked }: WrittenLine): readonly TrailConversation[] {
    const key = JSON.stringify([names, authored, linked ?? ""]);
    let near = this.#near.get(key);
    if (!near) {
      near = this.#links
        .touching(names)
        .filter(
          ({ row, how }) => how === "edited" && row.created <= authored && row.updated >= authored - MAX_EDIT_AGE_MS,
        )
        .map(({ row }) => row)
        .sort(
          (a, b) =>
            Number(b.id === linked) - Number(a.id === linked) ||
            Math.max(0, authored - a.updated) - Math.max(0, authored - b.updated) ||
            b.created - a.created ||
            (a.id < b.id ? -1 : 1),
        )
        .slice(0, MAX_SEARCHED_PER_LINE);
      this.#near.set(key, near);
    }
    return near;
  }

  #editsOf(row: TrailConversation, names: readonly string[]): readonly Edit[] | undefined {
    const key = `${row.no} ${names.join("\0")}`;
    const known = this.#edits.get(key);
    if (known) return known;
    if (this.#edits.size >= MAX_SEARCHED) {
      this.left += 1;
      return undefined;
    }
    const isFile = (path: string): boolean => names.includes(this.#links.insideOf(row, path) ?? "");
    const edits: Edit[] = [];
    for (const { index, message } of this.#load(row)) {
      const lines = writtenLines(message, isFile);
      const time = message.time === undefined ? row.updated : Date.parse(message.time);
      if (lines.size > 0) edits.push({ index, time, lines });
    }
    this.#edits.set(key, edits);
    return edits;
  }
}

/** The lines, trimmed, that edits in the message write to the file. */
function writtenLines(message: Message, isFile: (path: string) => boolean): Set<string> {
  const lines = new Set<string>();
  for (const part of message.parts) {
    if (part.type !== "tool_call") continue;
    const files = callFiles(part);
    if (callKind(part) !== "edit" && !files.some(({ how }) => how === "edited")) continue;
    if (files.some(({ path }) => isFile(path))) collectLines(part.input, lines, 0);
  }
  return lines;
}

/** Fields with the text that an edit removes. */
const REMOVED_TEXT_KEYS = /^old|^search$/i;

function collectLines(value: Json | undefined, lines: Set<string>, depth: number): void {
  if (typeof value === "string") {
    for (const line of value.split("\n")) lines.add(line.replace(/^[+]/, "").trim());
    return;
  }
  if (typeof value !== "object" || value === null || depth > 6) return;
  if (Array.isArray(value)) for (const item of value) collectLines(item, lines, depth + 1);
  else {
    for (const [key, item] of Object.entries(value)) {
      if (!REMOVED_TEXT_KEYS.test(key)) collectLines(item, lines, depth + 1);
    }
  }
}
