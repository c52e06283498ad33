/** Relations of one symbol or file: its callers, callees, imports, tests, and everything a change can affect. */
import { compareText } from "../../kernel/text.ts";
import type { CodeReader, EntityRow, LinkedEntity, Relation, Resolution } from "../../store/code.ts";
import { statedByBases } from "./bases.ts";
import { functionAround, reach } from "./reach.ts";
import type { Target } from "./target.ts";

export interface Related {
  entity: EntityRow;
  relation: Relation;
  resolution: Resolution;
  confidence: number;
  /** Line in the file where the edge starts. */
  line: number;
  count: number;
  /** For impact: number of edges between the two. */
  distance?: number;
  /** The symbol in between, such as the base method that the caller names. */
  via?: string;
}

export interface RelatedAnswer {
  results: Related[];
  /** Number of omitted candidates: calls that may mean this or another symbol. */
  ambiguous: number;
}

export function callers(store: CodeReader, target: Target): RelatedAnswer {
  const answer = gather(store, scopesOf(store, target), "incoming", "CALLS");
  const inside = new Set(target.file ? [target.file.no] : []);
  answer.results = answer.results.filter(({ entity }) => !inside.has(entity.file));
  for (const symbol of target.symbols) answer.results.push(...throughBases(store, symbol, answer));
  return unique(answer);
}

export function callees(store: CodeReader, target: Target): RelatedAnswer {
  const answer = gather(store, scopesOf(store, target), "outgoing", "CALLS");
  const inside = new Set(target.file ? [target.file.no] : []);
  answer.results = answer.results.filter(({ entity }) => !inside.has(entity.file));
  return unique(answer);
}

export function imports(store: CodeReader, target: Target): RelatedAnswer {
  return unique(gather(store, filesOf(store, target), "outgoing", "IMPORTS"));
}

export function importers(store: CodeReader, target: Target): RelatedAnswer {
  return unique(gather(store, filesOf(store, target), "incoming", "IMPORTS"));
}

/** Tests of the target, followed by tests of its callers, and of the functions that it and they are written in. */
export function tests(store: CodeReader, target: Target): RelatedAnswer {
  const scope = scopeOf(store, target);
  const direct = gather(store, scopesOf(store, target), "incoming", "TESTS");
  const seen = new Set(direct.results.map(({ entity }) => entity.no));
  const further: Related[] = [];
  for (const no of scope) {
    const callers = store.incoming(no, ["CALLS"]).filter(({ edge }) => edge.resolution !== "ambiguous");
    const around = [no, ...callers.map(({ entity }) => entity.no)].flatMap((each) => functionAround(store, each));
    for (const { entity } of [...callers, ...around]) {
      for (const test of store.incoming(entity.no, ["TESTS"])) {
        if (seen.has(test.entity.no) || test.edge.resolution === "ambiguous") continue;
        seen.add(test.entity.no);
        further.push({
          ...shown(test),
          confidence: round(test.edge.confidence * 0.7),
          distance: 2,
          via: entity.qualified,
        });
      }
    }
  }
  const answer = unique({ results: direct.results, ambiguous: direct.ambiguous });
  return { ...answer, results: [...answer.results, ...further] };
}

/** Everything a change may affect: callers, users, subclasses and importers, transitively. */
export function impact(store: CodeReader, target: Target): RelatedAnswer {
  const start = scopeOf(store, target);
  const files = new Set(target.file ? start.slice(0, 1) : []);
  const { reached, ambiguous } = reach(store, start, files);
  const outside = reached.filter(({ linked }) => linked.entity.file !== target.file?.no);
  return { results: outside.map(({ linked, distance }) => ({ ...shown(linked), distance })), ambiguous };
}

export function scopeOf(store: CodeReader, target: Target): number[] {
  return scopesOf(store, target).flat();
}

/** One per symbol, which comes first; for a class or file also the definitions inside. */
function scopesOf(store: CodeReader, { symbols, file }: Target): number[][] {
  if (file) return [store.entities(file.no).map(({ no }) => no)];
  return symbols.map((symbol) => {
    if (symbol.kind !== "class" && symbol.kind !== "interface" && symbol.kind !== "constant") return [symbol.no];
    const inside = `${symbol.qualified}.`;
    const members = store.entities(symbol.file).filter(({ qualified }) => qualified.startsWith(inside));
    return [symbol.no, ...members.map(({ no }) => no)];
  });
}

function filesOf(store: CodeReader, { symbols }: Target): number[][] {
  const files = new Set(symbols.flatMap(({ file }) => store.entities(file)[0]?.no ?? []));
  return [...files].map((no) => [no]);
}

/**
 * The members of a class calling each other say nothing about the class, but a member that constructs the class does.
 * Another symbol of the same name is a caller like any other.
 */
function gather(
  store: CodeReader,
  scopes: readonly (readonly number[])[],
  end: "incoming" | "outgoing",
  relation: Relation,
): RelatedAnswer {
  const answer: RelatedAnswer = { results: [], ambiguous: 0 };
  const asked = new Set<number>();
  const named = new Set(scopes.flatMap(([symbol]) => symbol ?? []));
  for (const scope of scopes) {
    const own = new Set(scope);
    for (const no of scope.filter((each) => !asked.has(each))) {
      asked.add(no);
      for (const linked of store[end](no, [relation])) {
        const to = end === "incoming" ? no : linked.entity.no;
        if (linked.edge.resolution === "ambiguous") answer.ambiguous += 1;
        else if (named.has(to) || !own.has(linked.entity.no)) answer.results.push(shown(linked));
      }
    }
  }
  return answer;
}

/** Callers of the base method that a method overrides or implements may reach the method too. */
function throughBases(store: CodeReader, symbol: EntityRow, answer: RelatedAnswer): Related[] {
  const seen = new Set(answer.results.map(({ entity }) => entity.no));
  const found: Related[] = [];
  for (const stated of statedByBases(store, symbol)) {
    for (const linked of store.incoming(stated.no, ["CALLS"])) {
      if (linked.edge.resolution === "ambiguous" || seen.has(linked.entity.no)) continue;
      seen.add(linked.entity.no);
      const confidence = round(linked.edge.confidence * 0.6);
      found.push({ ...shown(linked), confidence, via: stated.qualified });
    }
  }
  return found;
}

function shown({ entity, edge }: LinkedEntity): Related {
  const { relation, resolution, confidence, line, count } = edge;
  return { entity, relation, resolution, confidence, line, count };
}

/** One row per entity, the most certain first. */
function unique({ results, ambiguous }: RelatedAnswer): RelatedAnswer {
  const rows = new Map<string, Related>();
  for (const each of results) {
    const key = `${each.relation}:${each.entity.no}`;
    const known = rows.get(key);
    if (!known) rows.set(key, { ...each });
    else known.count += each.count;
  }
  const sorted = [...rows.values()].sort(
    (a, b) => b.confidence - a.confidence || compareText(a.entity.path, b.entity.path) || a.line - b.line,
  );
  return { results: sorted, ambiguous };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
