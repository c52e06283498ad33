/**
 * The impact of a diff: symbols that are gone while others still name them, the users of the changed symbols, and the
 * test files to run. The graph is that of the working tree; dex reads both sides of the diff from git.
 */
import { type Reached, reach } from "../../code/answers/reach.ts";
import { isTestPath, stem } from "../../code/test_paths.ts";
import { compareText } from "../../kernel/text.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import { changedFiles } from "./changed_files.ts";
import { type ChangedSymbol, changedSymbols, type FileChange } from "./changed_symbols.ts";
import { type Place, placesOf } from "./text_mentions.ts";

export interface Break {
  symbol: ChangedSymbol;
  /** Lines that still name it in files that import its file, or in the file itself. */
  uses: Place[];
  /** Lines that name it elsewhere: it may be something else of the same name. */
  mentions: number;
}

export interface TestFile {
  path: string;
  score: number;
  why: string;
}

export interface DiffImpact {
  symbols: ChangedSymbol[];
  breaks: Break[];
  reached: Reached[];
  ambiguous: number;
  tests: TestFile[];
  files: number;
  omitted: number;
}

/** Removed symbols whose remaining uses are searched for. */
const MAX_REMOVED = 40;
const MAX_USES = 50;
const THROUGH_USER = 0.7;
const MIN_TEST_SCORE = 0.15;
const BY_NAME_SCORE = 0.9;
/** Names that files have because of their role. */
const NO_STEM = new Set(["index", "__init__", "main", "mod", "types", "utils"]);

export async function diffImpact(root: string, store: CodeReader, range: string | undefined): Promise<DiffImpact> {
  const { files, omitted } = await changedFiles(root, range);
  const changes: FileChange[] = [];
  for (const file of files) changes.push(await changedSymbols(file));
  const symbols = changes.flatMap((change) => change.symbols);
  const start = new Map<number, EntityRow>();
  const wholeFiles = new Set<number>();
  for (const change of changes) {
    for (const entity of entitiesOf(store, change)) start.set(entity.no, entity);
    const [file] = store.entities(store.file(change.path)?.no ?? -1);
    if (!file || isTestPath(change.path) || !change.outside) continue;
    start.set(file.no, file);
    wholeFiles.add(file.no);
  }
  const { reached, ambiguous } = reach(store, [...start.keys()], wholeFiles);
  reached.sort(
    (a, b) =>
      a.distance - b.distance ||
      b.certainty - a.certainty ||
      compareText(a.linked.entity.path, b.linked.entity.path) ||
      a.linked.edge.line - b.linked.edge.line,
  );
  const users = reached.filter(({ linked }) => !isTestPath(linked.entity.path));
  return {
    symbols: symbols.sort(byDanger),
    breaks: await breaksOf(root, store, symbols),
    reached: users,
    ambiguous,
    tests: testsOf(store, changes, [...start.values()], reached),
    files: changes.length,
    omitted,
  };
}

/** The changed symbols as the graph knows them. */
function entitiesOf(store: CodeReader, { path, symbols }: FileChange): EntityRow[] {
  const file = store.file(path);
  const known = file ? store.entities(file.no) : [];
  return symbols.flatMap(({ change, renamedTo, qualified, kind }) => {
    if (change === "removed") return [];
    const name = renamedTo ?? qualified;
    return known.filter((each) => each.kind === kind && each.qualified === name);
  });
}

async function breaksOf(root: string, store: CodeReader, symbols: readonly ChangedSymbol[]): Promise<Break[]> {
  const found: Break[] = [];
  const gone = symbols.filter(({ change, name, renamedTo }) =>
    renamedTo === undefined ? change === "removed" : lastName(renamedTo) !== name,
  );
  for (const symbol of gone.slice(0, MAX_REMOVED)) {
    const places = await placesOf(root, store, symbol.name);
    if (!places || places.length === 0) continue;
    const linked = filesThatSee(store, symbol.path);
    const others = store.named(symbol.name).map(({ path, first_line, last_line }) => ({ path, first_line, last_line }));
    const isDefinition = ({ file, line }: Place): boolean =>
      others.some(({ path, first_line }) => path === file && first_line === line);
    const left = places.filter((place) => !isDefinition(place));
    const definedAgain = others.length > 0;
    const uses = left.filter(
      ({ file }) => linked.has(file) && !(definedAgain && file !== symbol.path && defines(others, file)),
    );
    if (uses.length === 0 && (definedAgain || left.length === 0)) continue;
    found.push({ symbol, uses: uses.slice(0, MAX_USES), mentions: left.length - uses.length });
  }
  return found.sort((a, b) => b.uses.length - a.uses.length || compareText(a.symbol.qualified, b.symbol.qualified));
}

/** A method of a renamed class keeps its own name. */
function lastName(qualified: string): string {
  return qualified.split(".").at(-1) ?? qualified;
}

function defines(others: readonly { path: string }[], file: string): boolean {
  return others.some(({ path }) => path === file);
}

/** The file itself and those that import it. */
function filesThatSee(store: CodeReader, path: string): ReadonlySet<string> {
  const [file] = store.entities(store.file(path)?.no ?? -1);
  const importers = file ? store.incoming(file.no, ["IMPORTS"]) : [];
  return new Set([path, ...importers.map(({ entity }) => entity.path)]);
}

function byDanger(a: ChangedSymbol, b: ChangedSymbol): number {
  return (
    DANGER.indexOf(a.change) - DANGER.indexOf(b.change) ||
    Number(b.exported) - Number(a.exported) ||
    compareText(a.path, b.path) ||
    a.line - b.line
  );
}
const DANGER = ["removed", "renamed", "signature", "changed", "added"];

/** Test files, the most likely to fail first: changed ones, those of the changed symbols, and those of their users. */
function testsOf(
  store: CodeReader,
  changes: readonly FileChange[],
  changed: readonly EntityRow[],
  reached: readonly Reached[],
): TestFile[] {
  const found = new Map<string, TestFile>();
  const runnable = new Map<string, boolean>();
  const hasTests = (path: string): boolean => {
    const known = runnable.get(path) ?? store.entities(store.file(path)?.no ?? -1).some(({ kind }) => kind === "test");
    runnable.set(path, known);
    return known;
  };
  const add = (path: string, score: number, why: string): void => {
    if (!isTestPath(path) || !hasTests(path)) return;
    const known = found.get(path);
    if (!known || known.score < score) found.set(path, { path, score, why });
  };
  const stems = new Map<string, string>();
  for (const { path } of changes) {
    if (isTestPath(path)) add(path, 1, "changed");
    else if (!NO_STEM.has(stem(path))) stems.set(stem(path), path);
  }
  for (const { path, test } of store.files()) {
    const tested = test ? stems.get(stem(path)) : undefined;
    if (tested !== undefined) add(path, BY_NAME_SCORE, `named after ${tested}`);
  }
  for (const entity of changed)
    for (const { entity: test, edge } of store.incoming(entity.no, ["TESTS"]))
      if (edge.resolution !== "ambiguous") add(test.path, edge.confidence, `tests ${entity.qualified}`);
  for (const { linked, certainty } of reached) {
    const { entity } = linked;
    if (isTestPath(entity.path)) {
      add(entity.path, certainty, `uses ${entity.qualified === entity.path ? "a changed file" : "a changed symbol"}`);
      continue;
    }
    for (const { entity: test, edge } of store.incoming(entity.no, ["TESTS"]))
      if (edge.resolution !== "ambiguous")
        add(
          test.path,
          certainty * edge.confidence * THROUGH_USER,
          `tests ${entity.qualified}, which uses a changed symbol`,
        );
  }
  return [...found.values()]
    .filter(({ score }) => score >= MIN_TEST_SCORE)
    .map((each) => ({ ...each, score: Math.round(each.score * 100) / 100 }))
    .sort((a, b) => b.score - a.score || compareText(a.path, b.path));
}
