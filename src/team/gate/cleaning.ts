/**
 * Cleans everything that leaves the machine: applies the current redaction rules and the team's patterns, and shortens
 * paths of the user's home.
 */
import type { ConversationMeta, Message, Part } from "../../conversations/model.ts";
import { isObject, type Json } from "../../kernel/json.ts";
import { replaceSpans, throughInvisible } from "../../redact/finders/span.ts";
import { redactMessage } from "../../redact/message.ts";
import { redactText } from "../../redact/redact.ts";

/** The facts about the machine and the team that cleaning needs. */
export interface GateRules {
  /** Home folders of the user. */
  homes: readonly string[];
  /** Regular expressions of the team. */
  patterns: readonly string[];
  /**
   * Names the current redaction rules. Messages that these have redacted need no second redaction; without a name all
   * do.
   */
  redaction?: string | undefined;
}

const MAX_PATTERNS = 50;
const MAX_PATTERN_CHARS = 200;
/** A shorter path is not a home: `/`, or a drive. */
const MIN_HOME_CHARS = 4;
/** No secret is shorter. */
const MIN_SECRET_CHARS = 10;
const MAX_DEPTH = 500;
/** The most cached results for titles, projects and models, which a conversation states several times. */
const MAX_REMEMBERED = 1000;
const BEGINS = "(?<=^|[^\\w.~-]|\\\\[nrtbf])";

export class Cleaner {
  redactions = 0;
  readonly #homes: HomeForms | undefined;
  readonly #patterns: readonly RegExp[];
  readonly #remembered = new Map<string, { clean: string; redactions: number }>();

  constructor(rules: GateRules) {
    this.#homes = homePattern(rules.homes);
    this.#patterns = rules.patterns.slice(0, MAX_PATTERNS).map((source) => {
      if (source.length > MAX_PATTERN_CHARS) throw new Error("a pattern of the team is too long");
      return new RegExp(source, "gu");
    });
  }

  /** Whether messages that the current rules have redacted need no further change. Cheap: creates no strings. */
  isRedactedClean(utf8: Buffer): boolean {
    return this.#patterns.length === 0 && !this.#homes?.isIn(utf8);
  }

  /**
   * Cleans lines of messages, each with its newline. Returns the same string if nothing had to change. `isRedacted`:
   * the current rules have already redacted them.
   */
  messages(text: string, isRedacted: boolean): string {
    const short = this.#shorten(text);
    if (isRedacted && this.#patterns.length === 0) return short;
    let isChanged = false;
    const lines = short.split("\n").map((line) => {
      if (line === "") return line;
      const message = JSON.parse(line) as Message;
      const clean = isRedacted ? this.#byPatterns(message) : this.#message(message);
      if (clean === message) return line;
      isChanged = true;
      return JSON.stringify(clean);
    });
    return isChanged ? lines.join("\n") : short;
  }

  /** The file that a conversation was read from stays here. */
  meta(meta: ConversationMeta): ConversationMeta {
    const { origin: _, ...rest } = meta;
    const clean = JSON.parse(this.#shorten(JSON.stringify(rest))) as ConversationMeta;
    for (const key of ["title", "project", "root", "branch", "model"] as const) {
      const value = clean[key];
      if (value !== undefined) clean[key] = this.#repeated(value);
    }
    if (clean.prs) clean.prs = clean.prs.map((url) => this.#text(url));
    return clean;
  }

  /** Any value: every string of it, with the keys of objects. */
  value(value: Json): Json {
    return this.#each(JSON.parse(this.#shorten(JSON.stringify(value))) as Json, 0, (text) => this.#text(text));
  }

  #message(message: Message): Message {
    const first = redactMessage(message);
    this.redactions += first.count;
    // Redaction is idempotent: if a second pass finds more, something is wrong, and the conversation is not pushed.
    if (first.count > 0 && redactMessage(first.message).count > 0) throw new Error("a message could not be cleaned");
    return this.#byPatterns(this.#names(first.message));
  }

  #byPatterns(message: Message): Message {
    if (this.#patterns.length === 0) return message;
    return this.#each(message as unknown as Json, 0, (text) => this.#ofTeam(text)) as unknown as Message;
  }

  /** Names, ids and paths, which redaction of messages leaves alone: sync cleaned them with the rules of its time. */
  #names(message: Message): Message {
    const parts = mapShared(message.parts, (part) => this.#part(part));
    const uid = message.uid === undefined ? undefined : this.#text(message.uid);
    const model = message.model === undefined ? undefined : this.#text(message.model);
    if (parts === message.parts && uid === message.uid && model === message.model) return message;
    const changed = { ...message, parts: [...parts] };
    if (uid !== undefined) changed.uid = uid;
    if (model !== undefined) changed.model = model;
    return changed;
  }

  #part(part: Part): Part {
    if (part.type !== "tool_call" && part.type !== "tool_result") return part;
    const id = part.id === undefined ? undefined : this.#text(part.id);
    const name = part.name === undefined ? undefined : this.#text(part.name);
    const files =
      part.type === "tool_call" && part.files ? mapShared(part.files, (file) => this.#text(file)) : undefined;
    const same = part.type === "tool_result" || files === part.files;
    if (same && id === part.id && name === part.name) return part;
    const changed = { ...part };
    if (id !== undefined) changed.id = id;
    if (name !== undefined) changed.name = name;
    if (changed.type === "tool_call" && files) changed.files = [...files];
    return changed;
  }

  #repeated(text: string): string {
    const known = this.#remembered.get(text);
    if (known !== undefined) {
      this.redactions += known.redactions;
      return known.clean;
    }
    const before = this.redactions;
    const clean = this.#text(text);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(text, { clean, redactions: this.redactions - before });
    return clean;
  }

  #text(text: string): string {
    const { text: clean, count } = text.length < MIN_SECRET_CHARS ? { text, count: 0 } : redactText(text);
    this.redactions += count;
    return this.#ofTeam(clean);
  }

  #ofTeam(text: string): string {
    let result = text;
    for (const pattern of this.#patterns) {
      const spans = throughInvisible(result, (seen) =>
        Array.from(seen.matchAll(pattern), ({ index, 0: match }) => ({
          start: index,
          end: index + match.length,
          id: "team",
        })).filter(({ start, end }) => start < end),
      );
      if (spans.length === 0) continue;
      result = replaceSpans(result, spans);
      this.redactions += spans.length;
    }
    return result;
  }

  /** Every string of a value, with the keys of objects. */
  #each(value: Json, depth: number, clean: (text: string) => string): Json {
    if (depth > MAX_DEPTH) throw new Error("a message is nested too deeply");
    if (typeof value === "string") return clean(value);
    if (Array.isArray(value)) return mapShared(value, (each) => this.#each(each, depth + 1, clean)) as Json[];
    if (!isObject(value)) return value;
    const entries = Object.entries(value).map(
      ([key, each]) => [clean(key), each === undefined ? each : this.#each(each, depth + 1, clean)] as const,
    );
    const same = entries.every(([key, each]) => Object.hasOwn(value, key) && value[key] === each);
    return same ? value : Object.fromEntries(entries);
  }

  /** Works on JSON text: the only character of a home path that needs an escape there is the backslash. */
  #shorten(text: string): string {
    // Searching for literals first takes a fraction of the expression's time, and most texts have none.
    return this.#homes?.isIn(text) ? text.replace(this.#homes.pattern, "~") : text;
  }
}

interface HomeForms {
  isIn(text: string | Buffer): boolean;
  pattern: RegExp;
}

/**
 * Patterns for the home: as a path, in JSON, in addresses, and as agents derive names of folders from it (`-home-ada`).
 * A home with one part, such as `/root`, counts only if no name precedes it; in JSON that may be an escape
 * (`\\n/root`).
 */
function homePattern(homes: readonly string[]): HomeForms | undefined {
  const paths = homes.map((home) => home.replace(/[/\\]+$/, "")).filter((home) => home.length >= MIN_HOME_CHARS);
  const forms = new Map<string, string>();
  for (const home of paths) {
    const before = home.split(/[/\\]/).filter((part) => part !== "").length > 1 ? "" : BEGINS;
    const written = [
      home,
      JSON.stringify(home).slice(1, -1),
      home.replace(/[/\\:.]/g, "-"),
      home.replace(/[/\\:]/g, encodeURIComponent),
    ];
    for (const form of written) forms.set(form, `${before}${RegExp.escape(form)}`);
  }
  if (forms.size === 0) return undefined;
  const longestFirst = [...new Set(forms.values())].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`(?:${longestFirst.join("|")})(?![\\w.]*[A-Za-z0-9_])`, "g");
  return { isIn: (text) => forms.keys().some((form) => text.includes(form)), pattern };
}

/** The same array where no item changed. */
function mapShared<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  let copy: T[] | undefined;
  for (const [index, item] of items.entries()) {
    const changed = change(item);
    if (changed === item) continue;
    copy ??= [...items];
    copy[index] = changed;
  }
  return copy ?? items;
}
