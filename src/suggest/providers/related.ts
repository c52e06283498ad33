/** Files that a change here may need too: what calls it, what tests it, what was changed with it before. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { plural } from "../../kernel/text.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import type { Candidate, Evidence, FocusFile, Ground } from "../evidence.ts";
import { oneLine } from "../text.ts";

/** Focus files that are looked at; the first ones are what the work is about. */
const MOST_FOCUS = 4;
const MOST_CALLERS = 8;
/** Changed together less often is chance. */
const LEAST_SUPPORT = 2;

export function relatedCode(ground: Ground): Candidate[] {
  const { focus, graph } = ground;
  const here = new Set(focus.files.filter(({ how }) => how === "open" || how === "changed").map(({ path }) => path));
  const found = focus.files.slice(0, MOST_FOCUS).flatMap((file) => [
    ...partners(ground, file),
    ...(graph
      ? inGraph(
          graph,
          file,
          focus.symbols.filter((symbol) => symbol.path === file.path),
        )
      : []),
  ]);
  if (graph) for (const symbol of focus.symbols) found.push(...callersOf(graph, symbol, 1));
  return [...found, ...named(ground)].filter(({ entityId }) => !here.has(entityId.slice("file:".length)));
}

type Summary = Candidate["summary"];

function candidate(path: string, line: number | null, title: string, summary: Summary, evidence: Evidence): Candidate {
  const actionUrl = line === null ? path : `${path}:${line}`;
  return {
    type: "related_code",
    entityId: `file:${path}`,
    title,
    summary,
    actionUrl,
    time: null,
    evidence: [evidence],
  };
}

function partners(ground: Ground, { path, share }: FocusFile): Candidate[] {
  const { graph, repository } = ground;
  const found = ground.partners(path).filter(({ support }) => support >= LEAST_SUPPORT);
  const linked = graph && found.length > 0 ? linkedFiles(graph, path) : undefined;
  return found
    .filter((partner) => existsSync(join(repository.root, partner.path)))
    .map((partner) => {
      const often = `${plural(partner.support, "commit")} changed it with ${path}, ${Math.round(partner.confidence * 100)}% of its own`;
      const hidden = linked !== undefined && !linked.has(partner.path) && graph?.file(partner.path) !== undefined;
      const reason = hidden ? `${often}, though neither imports the other` : often;
      const title = hidden
        ? `Changes together without an import: ${partner.path}`
        : `Usually changes with it: ${partner.path}`;
      const evidence: Evidence = { kind: "changed_with", strength: Math.min(1, partner.score), share, reason };
      const summary = (): string => aboutFile(graph, partner.path) ?? "Not read as code";
      return { ...candidate(partner.path, null, title, summary, evidence), time: partner.last };
    });
}

/** Files with any import or call between them and this one. */
function linkedFiles(graph: CodeReader, path: string): Set<string> | undefined {
  const file = graph.file(path);
  if (!file) return undefined;
  const root = graph.entities(file.no)[0]?.no ?? -1;
  const relations = ["IMPORTS", "TESTS", "DOCUMENTS", "CALLS"] as const;
  const near = [...graph.outgoing(root, relations), ...graph.incoming(root, relations)];
  return new Set(near.map(({ entity }) => entity.path));
}

function inGraph(graph: CodeReader, { path, share }: FocusFile, pointed: readonly EntityRow[]): Candidate[] {
  const file = graph.file(path);
  const root = file && graph.entities(file.no)[0];
  if (!file || !root) return [];
  const found: Candidate[] = [];
  for (const { entity, edge } of graph.incoming(root.no, ["TESTS"])) {
    if (edge.resolution === "ambiguous") continue;
    const evidence: Evidence = { kind: "tests_it", strength: edge.confidence, share, reason: `tests ${path}` };
    found.push(
      candidate(
        entity.path,
        null,
        `Test: ${entity.path}`,
        () => aboutFile(graph, entity.path) ?? `Tests ${path}`,
        evidence,
      ),
    );
  }
  const importers = [...new Set(graph.incoming(root.no, ["IMPORTS"]).map(({ entity }) => entity.path))];
  for (const other of importers.slice(0, MOST_CALLERS)) {
    const only = importers.length === 1 ? "alone" : `as ${importers.length - 1} others do`;
    const reason = `imports ${path}, ${only}`;
    const evidence: Evidence = { kind: "imports_it", strength: 1 / importers.length, share, reason };
    found.push(
      candidate(other, null, `Imports it: ${other}`, () => aboutFile(graph, other) ?? `Imports ${path}`, evidence),
    );
  }
  const imported = [...new Set(graph.outgoing(root.no, ["IMPORTS"]).map(({ entity }) => entity.path))];
  for (const other of imported.slice(0, MOST_CALLERS)) {
    const evidence: Evidence = {
      kind: "imported",
      strength: 1 / imported.length,
      share,
      reason: `imported by ${path}`,
    };
    found.push(
      candidate(
        other,
        null,
        `Imported by it: ${other}`,
        () => aboutFile(graph, other) ?? `${path} imports it`,
        evidence,
      ),
    );
  }
  return pointed.length > 0 ? found : [...found, ...callersInto(graph, path, file.no, share)];
}

/** Who calls anything in the file. */
function callersInto(graph: CodeReader, path: string, file: number, share: number): Candidate[] {
  const own = graph.entities(file).filter(({ exported }) => exported);
  return own
    .slice(0, 30)
    .flatMap((symbol) => callersOf(graph, symbol, share * 0.8))
    .filter(({ entityId }) => entityId !== `file:${path}`);
}

function callersOf(graph: CodeReader, symbol: EntityRow, share: number): Candidate[] {
  const calls = graph
    .incoming(symbol.no, ["CALLS"])
    .filter(
      ({ entity, edge }) => edge.resolution !== "ambiguous" && entity.path !== symbol.path && !isTest(graph, entity),
    );
  const few = 1 / Math.max(1, Math.log2(1 + calls.length));
  return calls.slice(0, MOST_CALLERS).map(({ entity, edge }) => {
    const who = entity.kind === "file" ? entity.path : entity.qualified;
    const reason = `calls ${symbol.qualified}: a change there may reach it`;
    const evidence: Evidence = { kind: "calls_it", strength: edge.confidence * few, share, reason };
    return candidate(
      entity.path,
      edge.line,
      `Caller: ${who}`,
      `${entity.path}:${edge.line}${entity.signature === "" ? "" : `: ${oneLine(entity.signature, 120)}`}`,
      evidence,
    );
  });
}

/** Tests of it are told as such. */
function isTest(graph: CodeReader, { kind, path }: EntityRow): boolean {
  return kind === "test" || graph.file(path)?.test === true;
}

/** What a file is: the first sentence of its own comment, or what it offers. */
function aboutFile(graph: CodeReader | undefined, path: string): string | undefined {
  const file = graph?.file(path);
  if (!graph || !file) return undefined;
  const [root, ...inside] = graph.entities(file.no);
  if (root && root.doc !== "") return oneLine(root.doc.split(/(?<=[.!?])\s/)[0] ?? root.doc, 160);
  const offered = inside.filter(({ exported, kind }) => exported && kind !== "test").map(({ name }) => name);
  return offered.length === 0 ? undefined : oneLine(`Offers ${offered.slice(0, 6).join(", ")}`, 160);
}

/** Files and definitions that the prompt speaks of, with the place where they are. */
function named({ focus, graph }: Ground): Candidate[] {
  const files = focus.files
    .filter(({ how }) => how === "named")
    .map(({ path, share }) =>
      candidate(path, null, `Named: ${path}`, () => aboutFile(graph, path) ?? "The prompt names it", {
        kind: "named_file",
        strength: 1,
        share,
        reason: "named in the prompt",
      }),
    );
  const bearing = new Map<string, number>();
  for (const { name } of focus.symbols) bearing.set(name, (bearing.get(name) ?? 0) + 1);
  const symbols = focus.symbols.map((symbol) => {
    const strength = 1 / (bearing.get(symbol.name) ?? 1);
    const evidence: Evidence = { kind: "named_symbol", strength, share: 0.9, reason: `defines ${symbol.name}` };
    return candidate(symbol.path, symbol.first_line, `Defined: ${symbol.qualified}`, symbol.signature, evidence);
  });
  return [...files, ...symbols];
}
