/** Precision and recall of calls and imports, call site by call site, and those of a plain search for `name(`. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FileFacts, PrivateFacts } from "../../src/code/facts.ts";
import { projectFiles } from "../../src/code/resolving/project/project_files.ts";
import { Resolver } from "../../src/code/resolving/resolver.ts";
import type { CodeWriter, EntityRow } from "../../src/store/code.ts";

interface GoldTarget {
  path: string;
  name: string;
  line: number;
}

export interface GoldCall {
  path: string;
  line: number;
  /** Any of these is right: overloads, merged declarations. */
  targets: readonly GoldTarget[];
}

export interface Gold {
  calls: readonly GoldCall[];
  /** `from>to` */
  imports: ReadonlySet<string>;
  /** Lines of `path:line` where the oracle knows every call; undefined: all of them. */
  decided?: (path: string, line: number, name: string) => boolean;
}

export interface Score {
  precision: number;
  recall: number;
  found: number;
  gold: number;
  wrong: string[];
  missed: string[];
}

export interface CodeScores {
  calls: Score;
  /** The calls among them that are guessed from a unique name. */
  guesses: { found: number; right: number };
  imports: Score;
  grep: Score;
  /** Calls found that the reference does not cover. */
  undecided: number;
}

type Files = ReadonlyMap<string, { entities: EntityRow[] }>;

export function scoreCode(writer: CodeWriter, root: string, gold: Gold, scope: (path: string) => boolean): CodeScores {
  const files = new Map(writer.files().map((row) => [row.path, { no: row.no, entities: writer.entities(row.no) }]));
  const wanted = gold.calls.flatMap((call) => {
    const targets = call.targets.map((target) => entityKey(files, target));
    return scope(call.path) ? [{ ...call, keys: new Set(targets) }] : [];
  });
  const { calls, guesses, undecided } = scoreCalls(writer, files, gold, wanted, scope);
  return {
    calls,
    guesses,
    undecided,
    imports: scoreImports(writer, files, gold, scope),
    grep: scoreGrep(root, files, wanted, scope),
  };
}

interface Wanted extends GoldCall {
  keys: Set<string>;
}

/** The definition with that name around that line; a definition unknown to dex gets a key that matches nothing. */
function entityKey(files: Files, { path, name, line }: GoldTarget): string {
  const around = (files.get(path)?.entities ?? []).filter(
    (each) => each.name === name && each.kind !== "test" && each.first_line <= line && line <= each.last_line,
  );
  const best = around.sort((a, b) => a.last_line - a.first_line - (b.last_line - b.first_line))[0];
  return best ? `${path}#${best.qualified}` : `${path}:${line}:${name}?`;
}

function scoreCalls(
  writer: CodeWriter,
  files: Files,
  gold: Gold,
  wanted: readonly Wanted[],
  scope: (path: string) => boolean,
) {
  const atLine = group(wanted);
  const [wrong, missed] = [[] as string[], [] as string[]];
  let [right, found, undecided] = [0, 0, 0];
  const guesses = { found: 0, right: 0 };
  const got = new Map<string, number>();
  for (const { path, line, edge } of claimedCalls(writer, scope)) {
    const entity = files.get(edge.to.path)?.entities[edge.to.slot + 1];
    const key = `${edge.to.path}#${entity?.qualified}`;
    const place = `${path}:${line}`;
    const isRight = (atLine.get(place) ?? []).some(({ keys }) => keys.has(key));
    if (!isRight && gold.decided && !gold.decided(path, line, entity?.name ?? "")) {
      undecided += 1;
      continue;
    }
    const isGuess = edge.resolution === "unique-name";
    found += 1;
    right += isRight ? 1 : 0;
    guesses.found += isGuess ? 1 : 0;
    guesses.right += isGuess && isRight ? 1 : 0;
    if (isRight) got.set(`${place}>${key}`, (got.get(`${place}>${key}`) ?? 0) + 1);
    else wrong.push(`${place} ${key} (${edge.resolution})`);
  }
  let met = 0;
  for (const { path, line, keys } of wanted) {
    const key = [...keys].find((each) => (got.get(`${path}:${line}>${each}`) ?? 0) > 0);
    if (key === undefined) {
      missed.push(`${path}:${line} ${[...keys][0]}`);
      continue;
    }
    met += 1;
    got.set(`${path}:${line}>${key}`, (got.get(`${path}:${line}>${key}`) ?? 0) - 1);
  }
  return {
    calls: {
      precision: right / Math.max(1, found),
      recall: met / Math.max(1, wanted.length),
      found,
      gold: wanted.length,
      wrong,
      missed,
    },
    guesses,
    undecided,
  };
}

/** The edges of calls that dex claims, with their lines. */
function* claimedCalls(writer: CodeWriter, scope: (path: string) => boolean) {
  const resolver = resolverOf(writer);
  for (const { no, path } of writer.files()) {
    if (!scope(path)) continue;
    const inside = JSON.parse(writer.inside(no)) as PrivateFacts;
    const calls = (inside.calls ?? []) as FileFacts["calls"];
    const facts = { calls, uses: [], mentions: [], importLines: [], baseLines: [] };
    for (const call of calls) {
      const { edges } = resolver.resolve(path, facts, [call]);
      for (const edge of edges)
        if (edge.relation === "CALLS" && edge.resolution !== "ambiguous") yield { path, line: call.line, edge };
    }
  }
}

function resolverOf(writer: CodeWriter) {
  return new Resolver(projectFiles(writer));
}

function scoreImports(writer: CodeWriter, files: Files, gold: Gold, scope: (path: string) => boolean): Score {
  const found = new Set<string>();
  for (const [path, { entities }] of files) {
    if (!scope(path)) continue;
    for (const { entity } of writer.outgoing(entities[0]?.no ?? -1, ["IMPORTS"])) found.add(`${path}>${entity.path}`);
  }
  const wanted = [...gold.imports].filter((each) => scope(each.split(">")[0] ?? ""));
  const wrong = [...found].filter((each) => !gold.imports.has(each));
  const missed = wanted.filter((each) => !found.has(each));
  return {
    precision: (found.size - wrong.length) / Math.max(1, found.size),
    recall: (wanted.length - missed.length) / Math.max(1, wanted.length),
    found: found.size,
    gold: wanted.length,
    wrong,
    missed,
  };
}

/** The result of `rg "name("` for each definition that is called at all: every line with the name and a bracket. */
function scoreGrep(root: string, files: Files, wanted: readonly Wanted[], scope: (path: string) => boolean): Score {
  const lines = new Map<string, Set<string>>();
  for (const path of files.keys()) {
    if (!scope(path)) continue;
    for (const [at, line] of readFileSync(join(root, path), "utf8").split("\n").entries()) {
      for (const [, name = ""] of line.matchAll(/([\p{L}_$#][\p{L}\p{N}_$]*)\(/gu)) {
        const places = lines.get(name) ?? new Set();
        lines.set(name, places.add(`${path}:${at + 1}`));
      }
    }
  }
  const callers = new Map<string, Set<string>>();
  for (const { path, line, keys } of wanted) {
    const key = [...keys][0] ?? "";
    callers.set(key, (callers.get(key) ?? new Set()).add(`${path}:${line}`));
  }
  let [right, found, gold] = [0, 0, 0];
  for (const [key, places] of callers) {
    const name = key.replace(/\?$/, "").split(/[#.:]/).at(-1) ?? "";
    const hits = lines.get(name) ?? new Set();
    gold += places.size;
    found += hits.size;
    for (const place of places) if (hits.has(place)) right += 1;
  }
  return {
    precision: right / Math.max(1, found),
    recall: right / Math.max(1, gold),
    found,
    gold,
    wrong: [],
    missed: [],
  };
}

function group(wanted: readonly Wanted[]): Map<string, Wanted[]> {
  const places = new Map<string, Wanted[]>();
  for (const each of wanted) {
    const key = `${each.path}:${each.line}`;
    places.set(key, [...(places.get(key) ?? []), each]);
  }
  return places;
}
