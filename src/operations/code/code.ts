/** `dex code`: all questions about a project's code, as one verb and one tool. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { implementations } from "../../code/answers/implementations.ts";
import { codeMap } from "../../code/answers/map.ts";
import { references } from "../../code/answers/references.ts";
import { callees, callers, impact, importers, imports, tests } from "../../code/answers/relations.ts";
import { findTarget, type Target } from "../../code/answers/target.ts";
import { type CodeProject, pathInProject } from "../../code/project.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { projectChanges, withCommits } from "../../project/code_history.ts";
import type { DiffImpact } from "../../project/impact/diff_impact.ts";
import type { TextMentions } from "../../project/impact/text_mentions.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import { BUDGET_MARGIN } from "../../tokens/estimate.ts";
import { defineOperation, type OperationContext } from "../operation.ts";
import { openChosenProject } from "./chosen_project.ts";
import { type CodeAction, codeInput, codeOutput } from "./code_schema.ts";
import { knownTarget } from "./known_target.ts";
import {
  changedSymbolRow,
  describe,
  describeBriefly,
  fileRow,
  fill,
  fillDescribed,
  implementationRow,
  memberRow,
  referenceRow,
  relatedRow,
  rowsThatFit,
  testRow,
  toBreakRow,
} from "./rows.ts";

const QUESTIONS = { callers, callees, imports, importers, tests, impact } as const;
/** The most symbols with one name that are listed before their results. */
const MAX_SYMBOLS = 20;
/** The most symbols that are listed where they are the answer itself. */
const MAX_DEFINITIONS = 1000;
const MAX_RELATED_FILES = 100;

export const code = defineOperation({
  name: "dex_code",
  verb: "code",
  summary:
    "Query a project's code: definitions, callers, references, implementations, tests, impact of a change, a map",
  positionals: ["action", "target"],
  input: codeInput,
  output: codeOutput,
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  syncBeforeFor: ({ mentions }) => (mentions ? "conversations" : "none"),
  toolset: "code",
  aliases: { target: ["file", "symbol"] },
  unlisted: ["mentions"],
  run: async (dex, input, context) => {
    const { action, target: typed, max_tokens: tokens } = input;
    const { project, store } = await openChosenProject(dex, input.project, context);
    const inProject = (path: string): string | undefined => pathInProject(project, dex.cwd, path);
    const head = { action, project: project.root };
    if (input.diff) {
      checkDiff(project, action);
      const { diffImpact } = await import("../../project/impact/diff_impact.ts");
      const found = await withCommits(dex, project.root, context, (commits) =>
        diffImpact(project.root, store, typed, commits),
      );
      return { ...head, ...impactRows(found, tokens) };
    }
    if (action === "map") return { ...head, ...answerMap(store, focusOf(store, typed, inProject), tokens) };
    if (typed === undefined || typed.trim() === "") {
      throw new DexError("bad_usage", `${action} needs a target.`, {
        hint: `Name a function, a class, a file or a line, such as main, Pool.open, src/pool.ts or src/pool.ts:12.`,
      });
    }
    const target = await knownTarget(project, store, typed, inProject);
    if (action === "related") {
      const file = target.file ?? store.file(target.symbols[0]?.path ?? "");
      const found = file ? (await related(dex, project.root, file.path, store, context)).map(fileRow) : [];
      return { ...head, ...fill(target.symbols.slice(0, MAX_SYMBOLS).map(describeBriefly), found, 0, tokens) };
    }
    if (!input.mentions || action !== "symbol") {
      const found = answer(store, action, target, tokens);
      if (action === "references")
        return { ...head, ...withPlaces(found, await unresolved(project, store, target), tokens) };
      if (action === "callers" && !target.file)
        return { ...head, ...withPlaces(found, await missedCalls(project, store, target, found.total), tokens) };
      if (action !== "tests" || found.total > 0) return { ...head, ...found };
      const { likelyTests } = await import("../../project/impact/likely_tests.ts");
      const likely = await withCommits(dex, project.root, context, async (commits) =>
        likelyTests(project.root, store, target, commits),
      );
      const shown = rowsThatFit(likely.map(testRow), Math.floor(tokens / BUDGET_MARGIN) - found.tokens);
      return { ...head, ...found, tests: shown.rows, tests_total: likely.length, tokens: found.tokens + shown.used };
    }
    const files = [...new Set(target.symbols.slice(0, MAX_SYMBOLS).map(({ path }) => path))];
    const name = target.file ? undefined : target.symbols[0]?.name;
    const { mentionsOf } = await import("./mentions.ts");
    const { rows: mentions, used } = rowsThatFit(
      await mentionsOf(dex, project.root, { name, files }, context),
      Math.floor(tokens / 2 / BUDGET_MARGIN),
    );
    const rest = answer(store, action, target, Math.floor(tokens - used * BUDGET_MARGIN));
    return { ...head, ...rest, mentions, tokens: rest.tokens + used };
  },
  isEmpty: ({ action, results, symbols, map, changed }) =>
    changed !== undefined
      ? changed.length === 0
      : action === "map"
        ? map === undefined
        : action === "symbol"
          ? symbols.length === 0
          : results.length === 0,
});

/** Adds the places that fit into the rest of the budget; their total is always included. */
function withPlaces<T extends { tokens: number }>(found: T, further: TextMentions | undefined, tokens: number) {
  if (!further) return found;
  const { rows, used } = rowsThatFit(further.mentioned, Math.floor(tokens / BUDGET_MARGIN) - found.tokens);
  return { ...found, mentioned: rows, mentioned_total: further.mentioned_total, tokens: found.tokens + used };
}

/**
 * Lines that the graph may have missed: every line with the name if there are no callers, otherwise those that look
 * like calls.
 */
async function missedCalls(project: CodeProject, store: CodeReader, { symbols }: Target, callers: number) {
  if (!project.git) return undefined;
  const { textMentions, unexplainedCalls } = await import("../../project/impact/text_mentions.ts");
  return await (callers === 0 ? textMentions : unexplainedCalls)(project.root, store, symbols);
}

/** Lines with the name that no reference covers. */
async function unresolved(project: CodeProject, store: CodeReader, target: Target) {
  if (!project.git || target.file) return undefined;
  const { furtherMentions, placeKey } = await import("../../project/impact/text_mentions.ts");
  const covered = new Set<string>();
  for (const { entity, lines } of references(store, target).results)
    for (const line of lines) covered.add(placeKey({ file: entity.path, line }));
  return await furtherMentions(project.root, store, target.symbols, covered);
}

function checkDiff(project: CodeProject, action: CodeAction): void {
  if (action === "impact" && project.git) return;
  const why = action === "impact" ? `${project.root} is not a git repository.` : `dex code ${action} has no diff.`;
  throw new DexError("bad_usage", why, { hint: "Use `dex code impact --diff [range]` in a git repository." });
}

/**
 * Deleted symbols that others still name come first, then the tests to run, the changed symbols, and the definitions
 * they affect.
 */
function impactRows(found: DiffImpact, tokens: number) {
  const room = Math.floor(tokens / BUDGET_MARGIN);
  const breaks = rowsThatFit(found.breaks.map(toBreakRow), Math.floor(room / 3));
  const tests = rowsThatFit(found.tests.map(testRow), Math.floor((room - breaks.used) / 3));
  const changed = rowsThatFit(found.symbols.map(changedSymbolRow), Math.floor((room - breaks.used - tests.used) / 2));
  const rows = found.reached.map(({ linked, distance, certainty }) => {
    const { line, count, resolution, relation } = linked.edge;
    const confidence = Math.round(certainty * 100) / 100;
    return relatedRow({ entity: linked.entity, relation, line, count, resolution, confidence, distance });
  });
  const used = breaks.used + tests.used + changed.used;
  const results = rowsThatFit(rows, room - used);
  return {
    symbols: [],
    results: results.rows,
    total: rows.length,
    ambiguous: found.ambiguous,
    changed: changed.rows,
    changed_total: found.symbols.length,
    may_break: breaks.rows,
    tests: tests.rows,
    tests_total: found.tests.length,
    tokens: used + results.used,
  };
}

/** The files of a map's focus, which may be a folder. */
function focusOf(
  store: CodeReader,
  typed: string | undefined,
  inProject: (path: string) => string | undefined,
): readonly number[] {
  if (typed === undefined) return [];
  const folder = `${inProject(typed.replace(/\/+$/, "")) ?? typed}/`;
  const below = store.files().filter(({ path }) => path.startsWith(folder));
  if (below.length > 0) return below.map(({ no }) => no);
  return findTarget(store, typed, inProject).symbols.map(({ file }) => file);
}

function answerMap(store: CodeReader, focus: readonly number[], tokens: number) {
  const map = codeMap(store, tokens, new Map(focus.map((file) => [file, 1])));
  return { symbols: [], results: [], total: map.files, ambiguous: 0, map: map.text, tokens: map.tokens };
}

type GraphAction = Exclude<CodeAction, "map" | "related">;

function answer(store: CodeReader, action: GraphAction, target: Target, tokens: number) {
  if (action === "symbol") {
    const described = target.symbols.slice(0, MAX_DEFINITIONS).map((entity) => describe(entity, true));
    const inner = target.file ? store.entities(target.file.no).slice(1) : members(store, target);
    const filled = fillDescribed(described, inner.map(memberRow), tokens);
    return { ...filled, symbols_total: target.symbols.length };
  }
  const described = target.symbols.slice(0, MAX_SYMBOLS).map(describeBriefly);
  if (action === "references") {
    const { results, places, ambiguous } = references(store, target);
    return { ...fill(described, results.map(referenceRow), ambiguous, tokens), places };
  }
  if (action === "implementations")
    return fill(described, implementations(store, target).map(implementationRow), 0, tokens);
  const { results, ambiguous } = QUESTIONS[action](store, target);
  const filled = fill(described, results.map(relatedRow), ambiguous, tokens);
  if (action !== "imports") return filled;
  const { external, imports: missing } = store.unresolved(target.symbols[0]?.file ?? -1);
  return { ...filled, external: [...external], missing: [...missing] };
}

function members(store: CodeReader, { symbols }: Target): EntityRow[] {
  return symbols.flatMap((symbol) => store.entities(symbol.file).filter(({ parent }) => parent === symbol.no));
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
