/** `dex code`: all questions about a project's code, as one verb and one tool. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";
import { codeMap } from "../../code/answers/map.ts";
import { callees, callers, impact, importers, imports, type Related, tests } from "../../code/answers/relations.ts";
import { findTarget, type Target } from "../../code/answers/target.ts";
import { openFresh } from "../../code/open.ts";
import { type CodeProject, findCodeProject, pathInProject } from "../../code/project.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { isProjectFolder } from "../../kernel/git/project_folder.ts";
import { projectChanges } from "../../project/code_history.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import type { LikelyFile } from "../../suggest/files/likely.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { defineOperation, type OperationContext } from "../operation.ts";
import { mention } from "../shared/mention.ts";

const ACTIONS = ["symbol", "callers", "callees", "imports", "importers", "tests", "impact", "related", "map"] as const;

const QUESTIONS = { callers, callees, imports, importers, tests, impact } as const;
/** Symbols of one name that are described; the others are only counted. */
const MAX_SYMBOLS = 20;
const MAX_RELATED_FILES = 100;

const symbolRow = z.object({
  name: z.string(),
  kind: z.string(),
  file: z.string(),
  line: z.number(),
  last_line: z.number(),
  signature: z.string(),
  doc: z.string().optional(),
});

const resultRow = z.object({
  name: z.string(),
  kind: z.string(),
  file: z.string(),
  /** First line of the definition. */
  line: z.number(),
  /** Line of the reference. */
  at: z.number().optional(),
  times: z.number().optional(),
  resolution: z.string().optional(),
  confidence: z.number().optional(),
  distance: z.number().optional(),
  via: z.string().optional(),
  score: z.number().optional(),
  why: z.array(z.string()).optional(),
  /** Commits that changed both files, and their share of the commits that changed the file asked about. */
  changed_with: z.object({ support: z.number(), confidence: z.number(), last: z.string() }).optional(),
});
type ResultRow = z.output<typeof resultRow>;

/**
 * The project of the current folder, or one that the user indexed before. An agent cannot read any other folder by
 * naming it.
 */
function chosenProject(dex: Dex, folder: string | undefined): CodeProject {
  const here = findCodeProject(dex.paths.code, dex.cwd);
  if (folder === undefined) {
    if (here.git || existsSync(here.path) || isProjectFolder(here.root)) return here;
    throw new DexError("no_project", `${here.root} is not a project: it has neither a git repository nor a manifest.`, {
      hint: "Go to the folder of a project, name one with --project, or run `dex code index <folder>` to index this one.",
    });
  }
  const named = findCodeProject(dex.paths.code, resolve(dex.cwd, folder));
  if (named.root === here.root || existsSync(named.path)) return named;
  throw new DexError("no_code", `The code of ${named.root} is not indexed.`, {
    hint: `Run \`dex code index ${folder}\` first.`,
  });
}

export const code = defineOperation({
  name: "dex_code",
  verb: "code",
  summary: "Query a project's code: definitions, callers, tests, the impact of a change, or a map",
  positionals: ["action", "target"],
  input: z.strictObject({
    action: z.enum(ACTIONS).describe("The question"),
    target: z
      .string()
      .max(1000)
      .optional()
      .describe("A name, Class.method, file, file:line or file#name; for a map, its focus"),
    project: z.string().optional().describe("Folder of the project (default: the current one)"),
    mentions: z.boolean().default(false).describe("With symbol: also conversations that mention it"),
    tokens: z.int("must be a whole number").min(50).max(1_000_000).default(2000).describe("Maximum tokens to return"),
  }),
  output: z.object({
    action: z.enum(ACTIONS),
    project: z.string(),
    symbols: z.array(symbolRow),
    results: z.array(resultRow),
    /** The number of results, including those that are not shown. */
    total: z.number(),
    /** Calls that may refer to this symbol or to another: counted, not shown. */
    ambiguous: z.number(),
    /** Imports of external packages, and of files that do not exist. */
    external: z.array(z.string()).optional(),
    missing: z.array(z.string()).optional(),
    /** With callers and none found: lines with the name, and how many there are. The graph may miss calls. */
    mentioned: z.array(z.object({ file: z.string(), line: z.number() })).optional(),
    mentioned_total: z.number().optional(),
    map: z.string().optional(),
    mentions: z.array(mention).optional(),
    tokens: z.number(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  toolset: "code",
  unlisted: ["mentions"],
  run: async (dex, input, context) => {
    const { action, target: typed, tokens } = input;
    const project = chosenProject(dex, input.project);
    const { store, notice } = await openFresh(dex.caches, project, { now: dex.now, ...context });
    if (notice) context.notice?.(notice);
    const inProject = (path: string): string | undefined => pathInProject(project, dex.cwd, path);
    const target = typed === undefined ? undefined : findTarget(store, typed, inProject);
    const head = { action, project: project.root };
    if (action === "map") return { ...head, ...answerMap(store, target, tokens) };
    if (!target) {
      throw new DexError("bad_usage", `dex code ${action} needs a symbol or a file.`, {
        hint: `For example \`dex code ${action} main\`.`,
      });
    }
    if (action === "related") {
      const file = target.file ?? store.file(target.symbols[0]?.path ?? "");
      const found = file ? (await related(dex, project.root, file.path, store, context)).map(fileRow) : [];
      return { ...head, ...fill(target.symbols.slice(0, MAX_SYMBOLS).map(describeBriefly), found, 0, tokens) };
    }
    if (!input.mentions || action !== "symbol") {
      const found = answer(store, action, target, tokens);
      const isUncalled = action === "callers" && found.total === 0 && !target.file;
      return { ...head, ...found, ...(isUncalled ? await uncalled(project, store, target) : {}) };
    }
    const files = [...new Set(target.symbols.slice(0, MAX_SYMBOLS).map(({ path }) => path))];
    const name = target.file ? undefined : target.symbols[0]?.name;
    const { mentionsOf } = await import("./mentions.ts");
    const { rows: mentions, used } = within(
      await mentionsOf(dex, project.root, { name, files }, context),
      Math.floor(tokens / 2 / BUDGET_MARGIN),
    );
    const rest = answer(store, action, target, Math.floor(tokens - used * BUDGET_MARGIN));
    return { ...head, ...rest, mentions, tokens: rest.tokens + used };
  },
  isEmpty: ({ action, results, symbols, map }) =>
    action === "map" ? map === undefined : action === "symbol" ? symbols.length === 0 : results.length === 0,
});

async function uncalled(project: CodeProject, store: CodeReader, { symbols }: Target) {
  const { textMentions } = await import("./text_mentions.ts");
  return project.git ? await textMentions(project.root, store, symbols) : undefined;
}

function answerMap(store: CodeReader, target: Target | undefined, tokens: number) {
  const focus = new Map((target?.symbols ?? []).map(({ file }) => [file, 1]));
  const map = codeMap(store, tokens, focus);
  return { symbols: [], results: [], total: map.files, ambiguous: 0, map: map.text, tokens: map.tokens };
}

type GraphAction = Exclude<(typeof ACTIONS)[number], "map" | "related">;

function answer(store: CodeReader, action: GraphAction, target: Target, tokens: number) {
  const described = target.symbols.slice(0, MAX_SYMBOLS).map((entity) => describe(entity, action === "symbol"));
  if (action === "symbol") {
    const inner = target.file ? store.entities(target.file.no).slice(1) : members(store, target);
    return fill(described, inner.map(memberRow), 0, tokens);
  }
  const { results, ambiguous } = QUESTIONS[action](store, target);
  const filled = fill(described, results.map(relatedRow), ambiguous, tokens);
  if (action !== "imports") return filled;
  const { external, imports: missing } = store.unresolved(target.symbols[0]?.file ?? -1);
  return { ...filled, external: [...external], missing: [...missing] };
}

function members(store: CodeReader, { symbols }: Target): EntityRow[] {
  return symbols.flatMap((symbol) => store.entities(symbol.file).filter(({ parent }) => parent === symbol.no));
}

/** Fills the budget with rows, after the tokens of the described symbols. */
function fill(symbols: z.output<typeof symbolRow>[], rows: readonly ResultRow[], ambiguous: number, budget: number) {
  const room = Math.floor(budget / BUDGET_MARGIN);
  const { rows: shown, used } = within(symbols, room);
  const { rows: kept, used: more } = within(rows, room - used);
  return { symbols: shown, results: kept, total: rows.length, ambiguous, tokens: used + more };
}

/** The leading rows that fit. */
function within<T>(rows: readonly T[], room: number): { rows: T[]; used: number } {
  const kept: T[] = [];
  let used = 0;
  for (const row of rows) {
    const cost = estimateTokens(JSON.stringify(row)) + 1;
    if (used + cost > room) break;
    used += cost;
    kept.push(row);
  }
  return { rows: kept, used };
}

function describe(entity: EntityRow, whole: boolean): z.output<typeof symbolRow> {
  const { kind, qualified, path, first_line, last_line, signature, doc } = entity;
  const row = { name: qualified, kind, file: path, line: first_line, last_line, signature };
  return whole && doc !== "" ? { ...row, doc } : row;
}

function describeBriefly(entity: EntityRow): z.output<typeof symbolRow> {
  return describe(entity, false);
}

async function related(dex: Dex, root: string, file: string, code: CodeReader, context: OperationContext) {
  const { likelyFiles } = await import("../../suggest/files/likely.ts");
  const { commits, conversations, close } = await projectChanges(dex, root, context);
  try {
    const exists = (path: string): boolean => existsSync(join(root, path));
    return likelyFiles({ files: [file], code, commits, conversations, exists, limit: MAX_RELATED_FILES });
  } finally {
    close();
  }
}

function fileRow({ path, probability, reasons, changed }: LikelyFile): ResultRow {
  const row = { name: path, kind: "file", file: path, line: 1, score: probability, why: reasons };
  if (!changed) return row;
  const { support, confidence, last } = changed;
  const share = Math.round(confidence * 100) / 100;
  return { ...row, changed_with: { support, confidence: share, last: new Date(last).toISOString() } };
}

function memberRow({ qualified, kind, path, first_line }: EntityRow): ResultRow {
  return { name: qualified, kind, file: path, line: first_line };
}

function relatedRow({ entity, line, count, resolution, confidence, distance, via }: Related): ResultRow {
  return {
    name: entity.qualified,
    kind: entity.kind,
    file: entity.path,
    line: entity.first_line,
    at: line,
    ...(count > 1 ? { times: count } : {}),
    resolution,
    confidence,
    ...(distance === undefined ? {} : { distance }),
    ...(via === undefined ? {} : { via }),
  };
}
