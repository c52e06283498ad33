/**
 * Definitions of the project in the current folder as passages: exact lines of a file, so that an answer can be checked
 * against them. Reads only indexed files inside the project's folder, with secrets redacted.
 */
import { existsSync } from "node:fs";
import { basename } from "node:path/posix";
import { searchCode } from "../../code/answers/search.ts";
import { languageOf } from "../../code/languages/registry.ts";
import { MAX_BYTES } from "../../code/listing/skip.ts";
import { openFresh } from "../../code/open.ts";
import { type CodeProject, findCodeProject } from "../../code/project.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { readContainedText } from "../../kernel/files/bounded_read.ts";
import type { TermCounts } from "../../ranking/hits.ts";
import { redactLines } from "../../redact/lines.ts";
import { redactText } from "../../redact/redact.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import { estimateTokens } from "../../tokens/estimate.ts";
import { CODE, type Passage } from "../passage.ts";
import { termsOf } from "../terms.ts";

/** Entities ranked for each passage that is wanted. */
const OVERFETCH = 4;
/** For how-does-it-work questions rank whole files last, and leave out tests unless the question is about them. */
const KIND_WEIGHT: Partial<Record<EntityRow["kind"], number>> = { file: 0.6, constant: 0.8 };
const TEST_WEIGHT = 0.5;
const ASKS_FOR_TESTS = /\b(?:tests?|testing|tested|specs?|fixtures?|mocks?)\b/i;
/** A definition that takes a larger share of the answer is shown as its signature and those of its members. */
const MAX_DEFINITION_SHARE = 0.7;
const MAX_MEMBERS = 40;

/** The project for a question about code; a repository that has no index yet gets one. */
export function neededCode(dex: Dex): CodeProject {
  const project = findCodeProject(dex.paths.code, dex.cwd);
  if (project.git || existsSync(project.path)) return project;
  throw new DexError("no_code", `The code in ${dex.cwd} is not indexed, and the folder is not in a git repository.`, {
    hint: "Ask in a project, or run `dex code index` here first.",
  });
}

/** Scores are relative to the best match, and lower for whole files and tests. */
export async function findInCode(
  dex: Dex,
  project: CodeProject,
  query: string,
  limit: number,
  maxTokens: number,
): Promise<Passage[]> {
  const { store } = await openFresh(dex.caches, project, { now: dex.now });
  const sources = new SourceFiles(project);
  const wantsTests = ASKS_FOR_TESTS.test(query);
  const found = searchCode(store, query, {}, limit * OVERFETCH).filter(
    ({ entity }) =>
      languageOf(entity.path) !== "document" && !isOnlyName(entity) && (wantsTests || !isTest(entity, store)),
  );
  const best = Math.max(...found.map(({ score }) => score), Number.MIN_VALUE);
  return found
    .map(({ entity, score }) => ({ entity, score: (score / best) * worthOf(entity, store) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .flatMap(({ entity, score }) => {
      const passage = sources.passage(entity, store, maxTokens * MAX_DEFINITION_SHARE);
      return passage ? [{ ...passage, score }] : [];
    });
}

export async function countInCode(dex: Dex, project: CodeProject, terms: readonly string[]): Promise<TermCounts> {
  const { store } = await openFresh(dex.caches, project, { now: dex.now });
  return store.countTerms(terms);
}

/** `MODE_FAST = "fast"`: a constant without a comment whose value repeats its name answers nothing. */
function isOnlyName({ kind, doc, qualified, signature }: EntityRow): boolean {
  const value = /=\s*(["'`])([^"'`]*)\1[\s;,)]*$/.exec(signature)?.[2];
  if (kind !== "constant" || doc !== "" || value === undefined) return false;
  return termsOf(value).isSubsetOf(termsOf(qualified));
}

function worthOf(entity: EntityRow, store: CodeReader): number {
  return isTest(entity, store) ? TEST_WEIGHT : (KIND_WEIGHT[entity.kind] ?? 1);
}

function isTest({ kind, path }: EntityRow, store: CodeReader): boolean {
  return kind === "test" || store.file(path)?.test === true;
}

/** Files of one project, each read once. */
export class SourceFiles {
  readonly #project: CodeProject;
  readonly #read = new Map<string, readonly string[]>();

  constructor(project: CodeProject) {
    this.#project = project;
  }

  /** The whole definition when it fits the budget. Undefined when the file no longer exists. */
  passage(entity: EntityRow, store: CodeReader, budget: number): Passage | undefined {
    const { path, qualified, kind, doc, first_line, last_line } = entity;
    const lines = this.lines(path);
    if (!lines) return undefined;
    const whole = lines.slice(first_line - 1, last_line).join("\n");
    const fits = kind !== "file" && estimateTokens(whole) <= budget;
    const shown = fits ? withoutDocstring(whole, doc) : this.#short(entity, store, lines);
    const comment = redactText(doc).text.trim();
    return {
      collection: CODE,
      document: path,
      // The folders' names are no evidence: a function `add` below `graders/` adds no grader.
      title: basename(path),
      ...(kind === "file" ? {} : { section: qualified }),
      lines: [first_line, Math.min(last_line, lines.length)],
      text: [...(comment === "" ? [] : [comment]), fenced(path, shown)].join("\n\n"),
    };
  }

  /** Exactly these lines. */
  excerpt(path: string, first: number, last: number, section?: string): Passage | undefined {
    const lines = this.lines(path);
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

  /** The file's lines, redacted. Does not follow a link out of the project. */
  lines(path: string): readonly string[] | undefined {
    const known = this.#read.get(path);
    if (known) return known;
    const text = readContainedText(this.#project.root, path, MAX_BYTES);
    if (text === undefined) return undefined;
    const lines = redactLines(text.replaceAll("\r\n", "\n"));
    this.#read.set(path, lines);
    return lines;
  }

  /** The first lines of the definition and of its members, as in the file. */
  #short(entity: EntityRow, store: CodeReader, lines: readonly string[]): string {
    const inner = store
      .entities(entity.file)
      .filter(({ no, parent, kind }) => no !== entity.no && parent === entity.no && kind !== "test")
      .slice(0, MAX_MEMBERS);
    const own = entity.kind === "file" ? [] : [headOf(entity, lines), ...(inner.length > 0 ? ["…"] : [])];
    return [...own, ...inner.map((member) => headOf(member, lines)), "…"].join("\n");
  }
}

/** The lines of the signature, which the index keeps on one line. */
function headOf({ first_line, last_line, signature }: EntityRow, lines: readonly string[]): string {
  const wanted = withoutSpace(signature).length;
  let end = first_line - 1;
  for (let read = 0; read < wanted && end < last_line; end += 1) read += withoutSpace(lines[end] ?? "").length;
  return lines.slice(first_line - 1, end).join("\n");
}

/** The docstring precedes the definition already, as prose; one that the index has truncated stays. */
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
