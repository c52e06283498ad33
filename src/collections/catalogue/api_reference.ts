/**
 * An API reference from the doc comments in a package's declaration files, for packages that ship little else. It is made
 * of text alone; nothing of a package is run.
 */
import { type Declaration, documentedDeclarations } from "./declarations.ts";

export interface ReferenceDocument {
  path: string;
  text: string;
}

const DECLARATIONS = /\.d\.[cm]?ts$/;
const OTHER = /(?:^|\/)(?:node_modules|tests?|__tests__|fixtures|examples?|ts\d[\d.]*)\/|(?:^|\/)lib\.[\w.]+\.d\.ts$/;
const MAX_FILE_CHARS = 4 << 20;
const MAX_REFERENCE_CHARS = 4 << 20;
/** Shorter comments say no more than the name. */
const MIN_COMMENT_CHARS = 15;

export function isDeclarationFile(path: string): boolean {
  return DECLARATIONS.test(path) && !OTHER.test(path);
}

/** One Markdown document for each declaration file with doc comments. An entry that several files repeat appears once. */
export function apiReference(name: string, files: readonly { path: string; bytes: Buffer }[]): ReferenceDocument[] {
  const seen = new Set<string>();
  const documents: ReferenceDocument[] = [];
  let left = MAX_REFERENCE_CHARS;
  // index.d.ts before index.d.mts, and the files at the top before those below.
  const ordered = files.toSorted(
    (one, other) => rankOf(one.path) - rankOf(other.path) || (one.path < other.path ? -1 : 1),
  );
  for (const { path, bytes } of ordered) {
    if (left <= 0) break;
    const entries = documentedDeclarations(bytes.toString("utf8").slice(0, MAX_FILE_CHARS)).flatMap((declaration) => {
      const text = commentText(declaration.comment);
      const key = `${declaration.name}\n${text}`;
      if (text.length < MIN_COMMENT_CHARS || seen.has(key)) return [];
      seen.add(key);
      return [entryText(declaration, text)];
    });
    if (entries.length === 0) continue;
    const module = path.replace(DECLARATIONS, "");
    const text = `# API of ${name}: ${module}\n\n${entries.join("\n\n")}\n`.slice(0, left);
    left -= text.length;
    documents.push({ path: `api/${module}.md`, text });
  }
  return unique(documents);
}

function rankOf(path: string): number {
  return path.split("/").length * 2 + (path.endsWith(".d.ts") ? 0 : 1);
}

/** `index.d.ts` and `index.d.mts` would have the same path. */
function unique(documents: readonly ReferenceDocument[]): ReferenceDocument[] {
  const paths = new Map<string, ReferenceDocument>();
  for (const each of documents) {
    const before = paths.get(each.path);
    paths.set(each.path, before ? { ...before, text: `${before.text}\n${each.text}` } : each);
  }
  return [...paths.values()];
}

function entryText({ name, signature }: Declaration, text: string): string {
  const fence = "`".repeat(signature.includes("```") ? 4 : 3);
  return `## ${name}\n\n${fence}ts\n${signature}\n${fence}\n\n${text}`;
}

const TAG = /^@(\w+)\s*(.*)$/;
const LABELS: Readonly<Record<string, string>> = {
  returns: "Returns: ",
  return: "Returns: ",
  deprecated: "Deprecated: ",
  default: "Default: ",
  defaultValue: "Default: ",
  throws: "Throws: ",
  see: "See ",
  since: "Since ",
  remarks: "",
  description: "",
  summary: "",
};

/** The comment as Markdown: without its stars, with tags as words and examples as code. */
export function commentText(comment: string): string {
  const lines: string[] = [];
  let fenced = false;
  let example = false;
  const endExample = (): void => {
    if (example) lines.push("```");
    example = false;
  };
  for (const raw of comment.split("\n")) {
    const line = raw.replace(/^\s*\*? ?/, "").trimEnd();
    const tag = fenced ? null : TAG.exec(line.trim());
    if (!tag && /^\s*(?:```|~~~)/.test(line)) {
      // An example with a fence of its own needs no other.
      if (example) {
        while (lines.at(-1) === "") lines.pop();
        if (lines.at(-1) === "```ts") lines.pop();
        else lines.push("```");
        example = false;
      }
      fenced = !fenced;
    }
    if (!tag) {
      lines.push(fenced || example ? line : prose(line));
      continue;
    }
    endExample();
    const [, kind = "", rest = ""] = tag;
    if (kind === "example") {
      const title = rest.replace(/<\/?caption>/g, "").trim();
      lines.push("", `Example${title === "" ? "" : ` (${prose(title)})`}:`, "", "```ts");
      example = true;
    } else if (kind === "param" || kind === "typeParam" || kind === "template") lines.push(parameter(rest));
    else if (kind in LABELS) lines.push(`${LABELS[kind]}${prose(rest)}`);
  }
  endExample();
  return lines
    .join("\n")
    .replace(/```ts\s*\n```/g, "")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** `@param name - what it is for`, perhaps after a type in braces. */
function parameter(text: string): string {
  const [, name = "", about = ""] = /^(?:\{[^{}]*\}\s*)?\[?([\w$.]+)[^\s\]]*\]?\s*(?:-\s*)?(.*)$/.exec(text) ?? [];
  return name === "" ? `- ${prose(text)}` : `- \`${name}\`: ${prose(about)}`;
}

/** Links by their text; a heading inside a comment is not a section of the reference. */
function prose(text: string): string {
  return text
    .replace(
      /\{@link(?:code|plain)?\s+([^\s|{}]+)\s*(?:\|\s*)?([^{}]*)\}/g,
      (_, target: string, label: string) => label.trim() || target,
    )
    .replace(/^#{1,6}\s+(.*)$/, "**$1**");
}
