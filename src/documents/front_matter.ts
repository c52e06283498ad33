/** What stands above a Markdown document between `---` (YAML) or `+++` (TOML): words about it, not text of it. */
import { parse } from "yaml";

export interface FrontMatter {
  /** The first line behind it, from 1. */
  from: number;
  title?: string;
  description?: string;
}

const MAX_LENGTH = 64 * 1024;
const MAX_WORDS = 2000;
const OPENING = /^(---|\+\+\+)[ \t]*\n/;
/** An opening rule of a document is no front matter: its first line is a key, a comment or the end. */
const FIRST_LINE = /^\s*(?:[\w$"'-][^\n]*?[:=]|#|---|\+\+\+|\[\w)/;
const ENTRY = /^["']?(?:title|description|summary)["']?[ \t]*:/gm;
/** The rest of the line and the indented ones below it. */
const CONTINUED = /^.*(?:\n(?:[ \t]+.*|(?=\n)))*/;
const MAX_ENTRY = 4000;
const MAX_ENTRIES = 10;

export function readFrontMatter(text: string): FrontMatter {
  const marker = OPENING.exec(text.slice(0, 100));
  if (!marker) return { from: 1 };
  const start = marker[0].length;
  const head = text.slice(start, start + MAX_LENGTH);
  if (!FIRST_LINE.test(head.trimStart())) return { from: 1 };
  const closing = marker[1] === "---" ? /^(?:---|\.\.\.)[ \t]*$/m : /^\+\+\+[ \t]*$/m;
  const end = closing.exec(head);
  if (!end) return { from: 1 };
  const body = head.slice(0, end.index);
  const from = body.split("\n").length + 2;
  const fields = marker[1] === "---" ? fieldsOfYaml(body) : fieldsByLine(body, "=");
  const title = words(fields.title);
  const description = words(fields.description ?? fields.summary);
  return { from, ...(title && { title }), ...(description && { description }) };
}

/** Only the entries that are wanted are parsed: of hostile YAML the rest would cost minutes. */
function fieldsOfYaml(body: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const match of [...body.matchAll(ENTRY)].slice(0, MAX_ENTRIES)) {
    const [key = ""] = match;
    const entry = key + CONTINUED.exec(body.slice(match.index + key.length, match.index + MAX_ENTRY))?.[0];
    try {
      const value: unknown = parse(entry, { logLevel: "silent", maxAliasCount: 0 });
      if (typeof value === "object" && value !== null) Object.assign(fields, value);
    } catch {
      // Templates and tabs make YAML that no parser takes; the line is mostly plain words all the same.
      Object.assign(fields, fieldsByLine(entry, ":"));
    }
  }
  return fields;
}

function fieldsByLine(body: string, separator: ":" | "="): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const line of body.split("\n")) {
    const at = line.indexOf(separator);
    const key = at > 0 ? line.slice(0, at).trim() : "";
    if (/^(?:title|description|summary)$/.test(key)) {
      fields[key] ??= line
        .slice(at + 1)
        .trim()
        .replace(/^(["'])(.*)\1$/, "$2");
    }
  }
  return fields;
}

function words(value: unknown): string | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  return String(value).replace(/\s+/g, " ").trim().slice(0, MAX_WORDS) || undefined;
}
