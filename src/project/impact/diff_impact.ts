/**
 * The impact of a diff: symbols that are gone while others still name them, the users of the changed symbols, and the
 * test files to run. The graph is that of the working tree; dex reads both sides of the diff from git.
 */
import { type Reach, type Reached, reach } from "../../code/answers/reach.ts";
import { isTestPath } from "../../code/test_paths.ts";
import { compareText } from "../../kernel/text.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import type { ChangeHistory } from "../changes.ts";
import { type ChangedFiles, changedFiles } from "./changed_files.ts";
import { type ChangedSymbol, changedSymbols, type FileChange } from "./changed_symbols.ts";
import { rankedTests, type TestEvidence, type TestToRun, testEvidence } from "./tests_to_run.ts";
import { type Place, placesOf } from "./text_mentions.ts";

export interface Break {
  symbol: ChangedSymbol;
  /** Lines that still name it in files that import its file, or in the file itself. */
  uses: Place[];
  /** Lines that name it elsewhere: it may be something else of the same name. */
  mentions: number;
}

export interface DiffImpact {
  symbols: ChangedSymbol[];
  breaks: Break[];
  reached: Reached[];
  ambiguous: number;
  tests: TestToRun[];
  files: number;
  omitted: number;
}

/** Removed symbols whose remaining uses are searched for. */
const MAX_REMOVED = 40;
const MAX_USES = 50;
const SUBJECT = "a changed symbol";

/** `commits`: the history, for tests that were changed together with the changed files. */
export async function diffImpact(
  root: string,
  store: CodeReader,
  range: string | undefined,
  commits?: ChangeHistory,
): Promise<DiffImpact> {
  const { files, changes, omitted, start, reached, ambiguous } = await compare(root, store, range);
  reached.sort(
    (a, b) =>
      a.distance - b.distance ||
      b.certainty - a.certainty ||
      compareText(a.linked.entity.path, b.linked.entity.path) ||
      a.linked.edge.line - b.linked.edge.line,
  );
  const symbols = changes.flatMap((change) => change.symbols);
  return {
    symbols: symbols.sort(byDanger),
    breaks: await breaksOf(root, store, symbols),
    reached: reached.filter(({ linked }) => !isTestPath(linked.entity.path)),
    ambiguous,
    tests: rankedTests(testEvidence({ root, store, files, subject: SUBJECT, symbols: start, reached, commits })),
    files: changes.length,
    omitted,
  };
}

/** The evidence for the tests alone. */
export async function diffEvidence(
  root: string,
  store: CodeReader,
  range: string | undefined,
  commits?: ChangeHistory,
): Promise<TestEvidence[]> {
  const { files, start: symbols, reached } = await compare(root, store, range);
  return testEvidence({ root, store, files, subject: SUBJECT, symbols, reached, commits });
}

interface Compared extends ChangedFiles, Reach {
  changes: FileChange[];
  /** The changed definitions as the graph knows them, and files with changes outside definitions. */
  start: EntityRow[];
}

async function compare(root: string, store: CodeReader, range: string | undefined): Promise<Compared> {
  const { files, omitted } = await changedFiles(root, range);
  const changes: FileChange[] = [];
  for (const file of files) changes.push(await changedSymbols(file));
  const start = new Map<number, EntityRow>();
  const wholeFiles = new Set<number>();
  for (const change of changes) {
    for (const entity of entitiesOf(store, change)) start.set(entity.no, entity);
    const [file] = store.entities(store.file(change.path)?.no ?? -1);
    if (!file || isTestPath(change.path) || !change.outside) continue;
    start.set(file.no, file);
    wholeFiles.add(file.no);
  }
  return { files, omitted, changes, start: [...start.values()], ...reach(store, [...start.keys()], wholeFiles) };
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
