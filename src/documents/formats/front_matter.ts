/** Front matter of a Markdown document, between `---` (YAML) or `+++` (TOML): metadata, not text. */
import { parse } from "yaml";

export interface FrontMatter {
  /** The first line after it, from 1. */
  from: number;
  title?: string;
  description?: string;
}

const MAX_CHARS = 64 * 1024;
const MAX_FIELD_CHARS = 2000;
const OPENING = /^(---|\+\+\+)[ \t]*\n/;
/** A thematic break may open a document too; front matter starts with a key, a comment or its end. */
const FIRST_LINE = /^\s*(?:[\w$"'-][^\n]*?[:=]|#|---|\+\+\+|\[\w)/;
const ENTRY = /^["']?(?:title|description|summary)["']?[ \t]*:/gm;
/** The rest of the line and the indented ones below it. */
const CONTINUED = /^.*(?:\n(?:[ \t]+.*|(?=\n)))*/;
const MAX_ENTRY_CHARS = 4000;
const MAX_ENTRIES = 10;

export function readFrontMatter(text: string): FrontMatter {
  const marker = OPENING.exec(text.slice(0, 100));
  if (!marker) return { from: 1 };
  const start = marker[0].length;
  const head = text.slice(start, start + MAX_CHARS);
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

/** Parses only the needed entries: hostile YAML could take minutes. */
function fieldsOfYaml(body: string): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const match of [...body.matchAll(ENTRY)].slice(0, MAX_ENTRIES)) {
    const [key = ""] = match;
    const entry = key + CONTINUED.exec(body.slice(match.index + key.length, match.index + MAX_ENTRY_CHARS))?.[0];
    try {
      const value: unknown = parse(entry, { logLevel: "silent", maxAliasCount: 0 });
      if (typeof value === "object" && value !== null) Object.assign(fields, value);
    } catch {
      // Templates and tabs make invalid YAML, but the line is mostly plain words.
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
  return String(value).replace(/\s+/g, " ").trim().slice(0, MAX_FIELD_CHARS) || undefined;
}
