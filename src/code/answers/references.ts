/** Every place that names a symbol: calls, types, reads, writes, imports, bases, and documents. */
import { compareText } from "../../kernel/text.ts";
import type { CodeReader, EntityRow, LinkedEntity, Relation, Resolution } from "../../store/code.ts";
import { statedByBases } from "./bases.ts";
import type { Target } from "./target.ts";

const USES = {
  CALLS: "call",
  USES_TYPE: "type",
  READS: "read",
  WRITES: "write",
  NAMES: "import",
  EXTENDS: "extends",
  IMPLEMENTS: "implements",
  DOCUMENTS: "document",
} as const satisfies Partial<Record<Relation, string>>;
type UseRelation = keyof typeof USES;
export type Use = (typeof USES)[UseRelation];
const RELATIONS = Object.keys(USES) as UseRelation[];
/** Relations that a base method passes on to the methods that override it. */
const PASSED_ON: readonly Relation[] = ["CALLS", "READS"];
const BASE_CONFIDENCE = 0.6;
const CONSTRUCTORS = new Set(["constructor", "__init__", "__construct", "initialize"]);

export interface Reference {
  /** The definition around the place; the file itself outside all definitions. */
  entity: EntityRow;
  use: Use;
  lines: readonly number[];
  resolution: Resolution;
  confidence: number;
  /** The base method that the place names. */
  via?: string;
}

export interface References {
  results: Reference[];
  /** Number of lines. */
  places: number;
  /** Calls that may refer to this symbol or to another of the same name. */
  ambiguous: number;
}

/** For a file: the places outside the file that name one of its definitions. */
export function references(store: CodeReader, { symbols, file }: Target): References {
  const wanted = file ? store.entities(file.no) : symbols;
  const found: Reference[] = [];
  let ambiguous = 0;
  const take = (linked: LinkedEntity, via?: string): void => {
    const { entity, edge } = linked;
    if (edge.resolution === "ambiguous") ambiguous += 1;
    if (edge.resolution === "ambiguous" || entity.file === file?.no) return;
    const confidence = via === undefined ? edge.confidence : Math.round(edge.confidence * BASE_CONFIDENCE * 100) / 100;
    const use = USES[edge.relation as UseRelation];
    const lines = edge.lines ?? [edge.line];
    found.push({ entity, use, lines, resolution: edge.resolution, confidence, ...(via === undefined ? {} : { via }) });
  };
  for (const symbol of wanted) {
    for (const linked of store.incoming(symbol.no, RELATIONS)) take(linked);
    for (const linked of madeBy(store, symbol)) take(linked);
    for (const base of statedByBases(store, symbol))
      for (const linked of store.incoming(base.no, PASSED_ON)) take(linked, base.qualified);
  }
  const results = withoutRepeats(found);
  return { results, places: results.reduce((sum, { lines }) => sum + lines.length, 0), ambiguous };
}

/** A call of a class runs its constructor. */
function madeBy(store: CodeReader, { kind, name, parent }: EntityRow): LinkedEntity[] {
  return kind === "method" && parent !== null && CONSTRUCTORS.has(name) ? store.incoming(parent, ["CALLS"]) : [];
}

/** An import of the line counts only if nothing else on the line names the symbol; a base does not count twice. */
function withoutRepeats(found: readonly Reference[]): Reference[] {
  const taken = new Set<string>();
  const results: Reference[] = [];
  for (const each of found.toSorted((a, b) => RANK[a.use] - RANK[b.use] || b.confidence - a.confidence)) {
    const lines = each.lines.filter((line) => !taken.has(`${each.entity.file}:${line}`));
    for (const line of lines) taken.add(`${each.entity.file}:${line}`);
    if (lines.length > 0) results.push({ ...each, lines });
  }
  return results.sort(
    (a, b) =>
      Number(a.use === "document") - Number(b.use === "document") ||
      certainty(b) - certainty(a) ||
      compareText(a.entity.path, b.entity.path) ||
      (a.lines[0] ?? 0) - (b.lines[0] ?? 0),
  );
}

/** Resolved places first, then those found through a base, then guesses by name. */
function certainty({ resolution, via }: Reference): number {
  return resolution === "unique-name" ? 0 : via === undefined ? 2 : 1;
}

/** dex shows the most specific use of a line. */
const RANK: Readonly<Record<Use, number>> = {
  extends: 0,
  implements: 0,
  call: 1,
  write: 2,
  read: 3,
  type: 4,
  import: 5,
  document: 6,
};
