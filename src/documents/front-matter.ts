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

function fieldsOfYaml(body: string): Record<string, unknown> {
  try {
    const value: unknown = parse(body, { logLevel: "silent", maxAliasCount: 20 });
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
    return {};
  } catch {
    // Templates and tabs make YAML that no parser takes; the two fields are mostly plain lines all the same.
    return fieldsByLine(body, ":");
  }
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
