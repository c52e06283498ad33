/**
 * Definitions as passages: exact lines of a file, without secrets, so that dex can check answers against them.
 */
import { basename } from "node:path/posix";
import type { CodeProject } from "../../code/project.ts";
import { SourceLines } from "../../code/source_lines.ts";
import { redactText } from "../../redact/redact.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import { CODE, type Passage } from "../passage.ts";
import { closed } from "../quoting/markup/fences.ts";

const MAX_MEMBERS = 40;
/** In the outline of a class, at most so many lines that belong to no member. */
const MAX_FIELD_LINES = 40;

/** The most tokens of a definition that is read whole; of a longer one, only signatures are read. */
interface DefinitionBudget {
  withMembers: number;
  /** For a definition without members; by default the same. */
  withoutMembers?: number;
}

/** Files of one project, each read once. */
export class SourceFiles {
  readonly #lines: SourceLines;

  constructor(project: CodeProject) {
    this.#lines = new SourceLines(project);
  }

  /** The whole definition when it fits the budget of its kind. Undefined when the file no longer exists. */
  passage(
    entity: EntityRow,
    store: CodeReader,
    { withMembers, withoutMembers = withMembers }: DefinitionBudget,
  ): Passage | undefined {
    const { path, qualified, kind, doc, first_line, last_line } = entity;
    const lines = this.#lines.of(path);
    if (!lines) return undefined;
    const whole = lines.slice(first_line - 1, last_line).join("\n");
    const members = membersOf(entity, store);
    const budget = members.length === 0 ? withoutMembers : withMembers;
    const fits = kind !== "file" && estimateTokens(whole) <= budget;
    const shown = fits ? withoutDocstring(whole, doc) : outlineOf(entity, members, lines);
    // The index truncates a long comment, perhaps in the middle of an example.
    const comment = closed(redactText(doc).text.trim());
    return {
      collection: CODE,
      document: path,
      // Names of folders are not evidence: a function `add` below `graders/` does not add graders.
      title: basename(path),
      ...(kind === "file" ? {} : { section: qualified }),
      lines: [first_line, Math.min(last_line, lines.length)],
      text: [...(comment === "" ? [] : [comment]), fenced(path, shown)].join("\n\n"),
    };
  }

  /** A passage of exactly these lines. */
  excerpt(path: string, first: number, last: number, section?: string): Passage | undefined {
    const lines = this.#lines.of(path);
    const from = Math.max(1, first);
    const to = Math.min(last, lines?.length ?? 0);
    if (!lines || from > to) return undefined;
    return {
      collection: CODE,
      document: path,
      title: basename(path),
      section: section ?? `${from}-${to}`,
      lines: [from, to],
      text: fenced(path, lines.slice(from - 1, to).join("\n")),
    };
  }
}

function membersOf(entity: EntityRow, store: CodeReader): EntityRow[] {
  return store
    .entities(entity.file)
    .filter(({ no, parent, kind }) => no !== entity.no && parent === entity.no && kind !== "test");
}

/** The first lines of the definition and of its members, as in the file, and those that belong to no member: its fields. */
function outlineOf(entity: EntityRow, members: readonly EntityRow[], lines: readonly string[]): string {
  const heads = members.slice(0, MAX_MEMBERS).map((member) => headOf(member, lines));
  if (entity.kind === "file") return [...heads, "…"].join("\n");
  const head = headOf(entity, lines);
  if (heads.length === 0) return `${head}\n…`;
  return [head, ...fieldLines(entity, members, lines, head.split("\n").length), "…", ...heads, "…"].join("\n");
}

function fieldLines(
  { first_line, last_line }: EntityRow,
  members: readonly EntityRow[],
  lines: readonly string[],
  headLines: number,
): string[] {
  const isIn = (line: number): boolean => members.some((each) => each.first_line <= line && line <= each.last_line);
  const own: string[] = [];
  for (let line = first_line + headLines; line < last_line && own.length < MAX_FIELD_LINES; line += 1) {
    const text = lines[line - 1] ?? "";
    if (text.trim() !== "" && !isIn(line)) own.push(text);
  }
  return own;
}

/** The lines of the signature, which the index keeps on one line. */
function headOf({ first_line, last_line, signature }: EntityRow, lines: readonly string[]): string {
  const wanted = withoutSpace(signature).length;
  let end = first_line - 1;
  for (let read = 0; read < wanted && end < last_line; end += 1) read += withoutSpace(lines[end] ?? "").length;
  return lines.slice(first_line - 1, end).join("\n");
}

/**
 * Removes the docstring, which the passage already has as prose above the definition, unless the index truncated it.
 */
function withoutDocstring(definition: string, doc: string): string {
  const [docstring, indent = "", , text = ""] =
    /^([ \t]+)[rRuUbB]{0,2}("""|''')([\s\S]*?)\2[ \t]*$/m.exec(definition) ?? [];
  if (docstring === undefined || doc === "" || withoutSpace(text) !== withoutSpace(doc)) return definition;
  return definition.replace(docstring, () => `${indent}…`);
}

function withoutSpace(text: string): string {
  return text.replace(/\s+/g, "");
}

function fenced(path: string, text: string): string {
  // The fence must be longer than any fence in the text.
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const ending = /\.(\w{1,10})$/.exec(path)?.[1] ?? "";
  return `${fence}${ending}\n${text}\n${fence}`;
}
