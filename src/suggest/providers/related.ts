/** Suggests files that a change may also need: callers, tests and co-changed files. */
import { plural } from "../../kernel/text.ts";
import { quoteLine } from "../../redact/quote.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import { chanceIn, combinedChance } from "../combine.ts";
import type { Candidate, Evidence, FocusFile, ProjectView } from "../evidence.ts";
import { conversationReference } from "../origins.ts";
import { editedBy } from "../past_work.ts";
import { logit } from "../scale.ts";

const MAX_CALLERS = 8;
/** Names in a summary. */
const MAX_NAMES = 6;
/** Files with this share count as being edited; if there are none, all focus files do. */
const MIN_SURE_SHARE = 0.8;
/**
 * The weight of partners of a file that a prompt only names. Their chances assume that the file is edited, but most
 * named files are not: in replays of real prompts a third of such partners was edited
 * (docs/internals/quality/suggestions.md), so none is pushed.
 */
const NAMED_SHARE = 0.4;
const MAX_NAMED = 3;
const MAX_CHANCE = 0.999;
/** The chance assumed for a file that the prompt's ranking leaves out. */
const MIN_RANKED_CHANCE = 0.01;
const FILE = "file:";
/** Less likely files are left out. */
const MIN_CHANCE = 0.02;

export function relatedCode(view: ProjectView): Candidate[] {
  const { focus, graph, activity } = view;
  const here = new Set(focus.files.filter(({ how }) => how === "open" || how === "changed").map(({ path }) => path));
  const sure = focus.files.filter(({ share, how }) => share >= MIN_SURE_SHARE && how !== "named");
  const about = sure.length > 0 ? sure : focus.files.filter(({ how }) => how !== "named");
  const share = Math.max(0, ...about.map((file) => file.share));
  const named = focus.files.flatMap(({ path, how }) => (how === "named" ? [path] : []));
  const ranked = activity.prompt === undefined ? [] : promptLeadsTo(view, activity.prompt);
  const definitions = definitionsOf(view, ranked);
  const defining = new Set(definitions.map(({ entityId }) => entityId));
  const callers = graph
    ? focus.symbols.map((symbol) => ({
        symbol,
        list: callersOf(graph, symbol, ranked).filter(({ entityId }) => !defining.has(entityId)),
      }))
    : [];
  const bySymbols = [...definitions, ...callers.flatMap(({ list }) => list)];
  // The chance of a file with a named definition, or of its caller, already includes the prompt's other evidence for
  // it.
  const included = new Set(bySymbols.map(({ entityId }) => entityId));
  const found = [
    ...likely(view, withSubjects(view.likely.with(about.map(({ path }) => path)), about), share),
    ...named.slice(0, MAX_NAMED).flatMap((path) => likely(view, partnersOf(view, path), NAMED_SHARE)),
    ...likely(
      view,
      ranked.filter(({ path }) => !included.has(fileId(path))),
      1,
    ),
    ...bySymbols,
  ];
  for (const { symbol, list } of callers) boundCallers(found, fileId(symbol.path), list, chanceIn(view.shifts));
  return found.filter(({ entityId }) => !here.has(entityId.slice(FILE.length)));
}

/**
 * Limits the chance of a file that calls a definition to that of the file with the definition, whatever other evidence
 * there is for the caller.
 */
function boundCallers(
  found: readonly Candidate[],
  definition: string,
  callers: readonly Candidate[],
  chanceOf: (evidence: Evidence) => number,
): void {
  const joint = (id: string): number =>
    combinedChance(
      found.flatMap((each) => (each.entityId === id ? each.evidence : [])),
      chanceOf,
    );
  const most = joint(definition);
  for (const { entityId } of callers) {
    if (entityId === definition) continue;
    const chance = joint(entityId);
    if (chance <= most) continue;
    // Reduces the log-chance of a miss of each piece by the same factor, so that together they reach the limit.
    const part = Math.log(1 - most) / Math.log(1 - Math.min(MAX_CHANCE, chance));
    for (const each of found) {
      if (each.entityId === entityId)
        each.evidence = each.evidence.map((evidence) => lowered(evidence, part, chanceOf));
    }
  }
}

function lowered(evidence: Evidence, part: number, chanceOf: (evidence: Evidence) => number): Evidence {
  const full = chanceOf({ ...evidence, share: 1 });
  const chance = Math.min(MAX_CHANCE, full * evidence.share);
  return full === 0 ? evidence : { ...evidence, share: (1 - (1 - chance) ** part) / full };
}

function promptLeadsTo(view: ProjectView, prompt: string): RankedFiles {
  const { index } = view;
  const near = view.near().flatMap((hit) => {
    const row = index.byNo(hit.no);
    if (!row) return [];
    const files = editedBy(view, row);
    return files.length === 0 ? [] : [{ score: hit.score, files, name: () => conversationReference(row) }];
  });
  return view.likely.for(prompt, near);
}

/** If the caller named no files, the reasons name them: "you changed src/a.ts: imports it". */
function withSubjects(files: RankedFiles, about: readonly FocusFile[]): RankedFiles {
  return files.map((each) => {
    const subject = about.find(({ path }) => path === (each.of ?? about[0]?.path));
    const [first, ...others] = each.reasons;
    const who = { changed: "you", committed: "the last commits" }[subject?.how as "changed" | "committed"];
    if (who === undefined || first === undefined) return each;
    return { ...each, reasons: [`${who} changed ${subject?.path}: ${first}`, ...others] };
  });
}

function partnersOf(view: ProjectView, named: string): RankedFiles {
  return view.likely.withNamed(named).map((each) => {
    const [first = "may change with it", ...others] = each.reasons;
    return { ...each, reasons: [`the prompt names ${named}: ${first}`, ...others] };
  });
}

function likely({ graph }: ProjectView, files: ReturnType<ProjectView["likely"]["with"]>, share: number): Candidate[] {
  return files
    .filter(({ probability }) => probability >= MIN_CHANCE)
    .map(({ path, probability, reasons, changed }) => {
      const reason = reasons.slice(0, 2).join("; ");
      const title = reasons.some((each) => each.includes("though neither"))
        ? `Changes together without an import: ${path}`
        : graph?.file(path)?.test
          ? `Test: ${path}`
          : path;
      const summary = (): string => aboutFile(graph, path);
      const evidence: Evidence = { kind: "likely_file", strength: probability, share, reason };
      return { ...candidate(path, null, title, summary, evidence), time: changed?.last ?? null };
    });
}

type Summary = Candidate["summary"];

function fileId(path: string): string {
  return `${FILE}${path}`;
}

function candidate(path: string, line: number | null, title: string, summary: Summary, evidence: Evidence): Candidate {
  const actionUrl = line === null ? path : `${path}:${line}`;
  return {
    type: "related_code",
    entityId: fileId(path),
    title,
    summary,
    actionUrl,
    time: null,
    evidence: [evidence],
  };
}

type RankedFiles = ReturnType<ProjectView["likely"]["for"]>;

function callersOf(graph: CodeReader, symbol: EntityRow, ranked: RankedFiles): Candidate[] {
  const calls = graph
    .incoming(symbol.no, ["CALLS"])
    .filter(
      ({ entity, edge }) => edge.resolution !== "ambiguous" && entity.path !== symbol.path && !isTest(graph, entity),
    );
  const few = 1 / Math.max(1, Math.log2(1 + calls.length));
  return calls.slice(0, MAX_CALLERS).map(({ entity, edge }) => {
    const who = entity.kind === "file" ? entity.path : entity.qualified;
    const reason = `calls ${symbol.qualified}: a change there may reach it`;
    const measured = { kind: "calls_it", strength: edge.confidence * few, share: 1, reason } as const;
    return candidate(
      entity.path,
      edge.line,
      `Caller: ${who}`,
      `${entity.path}:${edge.line}${entity.signature === "" ? "" : `: ${quoteLine(entity.signature, 120)}`}`,
      withRank(measured, entity.path, ranked, {}),
    );
  });
}

/**
 * Joins the evidence of a symbol with the prompt's other evidence for the file, because both often rest on the same
 * words.
 */
function withRank(
  evidence: Evidence & { kind: "named_symbol" | "calls_it" },
  path: string,
  ranked: RankedFiles,
  features: Readonly<Record<string, number>>,
): Evidence {
  // There is no ranking if the activity has no prompt, or if there was no time for one.
  if (ranked.length === 0) return evidence;
  const file = ranked.find((each) => each.path === path);
  const chance = Math.min(MAX_CHANCE, Math.max(MIN_RANKED_CHANCE, file?.probability ?? 0));
  const kind = evidence.kind === "named_symbol" ? "ranked_symbol" : "ranked_caller";
  const reasons = [evidence.reason, ...(file?.reasons ?? []).filter((each) => !each.startsWith("defines "))];
  const all = { strength: evidence.strength, likely: logit(chance), ...features };
  return { ...evidence, kind, features: all, share: 1, reason: reasons.slice(0, 2).join("; ") };
}

/** Tests are suggested as tests and not as callers. */
function isTest(graph: CodeReader, { kind, path }: EntityRow): boolean {
  return kind === "test" || graph.file(path)?.test === true;
}

/** A file's summary: the first sentence of its head comment, or its tests, exports or definitions, if it has any. */
function aboutFile(graph: CodeReader | undefined, path: string): string {
  if (!graph) return "";
  const file = graph.file(path);
  if (!file) return "";
  const [root, ...inside] = graph.entities(file.no);
  // A number before the full stop belongs to a heading: "7. Results without force push".
  if (root && root.doc !== "") return quoteLine(root.doc.split(/(?<=\D[.!?])\s/)[0] ?? root.doc, 160);
  const named = (what: string, entities: readonly EntityRow[]): string | undefined =>
    entities.length === 0
      ? undefined
      : quoteLine(
          `${what} ${entities
            .slice(0, MAX_NAMES)
            .map(({ name }) => name)
            .join(", ")}`,
          160,
        );
  const definitions = inside.filter(({ kind }) => kind !== "test");
  const tests = inside.filter(({ kind }) => kind === "test");
  return (
    (file.test ? named(`${plural(tests.length, "test")}:`, tests) : undefined) ??
    named(
      "Exports",
      definitions.filter(({ exported }) => exported),
    ) ??
    named("Defines", definitions) ??
    ""
  );
}

/** The definitions of the focus symbols. */
function definitionsOf({ focus }: ProjectView, ranked: RankedFiles): Candidate[] {
  const bearing = new Map<string, number>();
  for (const { name } of focus.symbols) bearing.set(name, (bearing.get(name) ?? 0) + 1);
  // If files with the prompt's names are many, each of them is less likely.
  const spread = Math.log(new Set(focus.symbols.map(({ path }) => path)).size);
  return focus.symbols.map((symbol) => {
    const strength = 1 / (bearing.get(symbol.name) ?? 1);
    const measured = { kind: "named_symbol", strength, share: 0.9, reason: `defines ${symbol.name}` } as const;
    const evidence = withRank(measured, symbol.path, ranked, { spread });
    return candidate(symbol.path, symbol.first_line, `Defined: ${symbol.qualified}`, symbol.signature, evidence);
  });
}
