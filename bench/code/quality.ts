/**
 * Measures the accuracy of the code graph: calls and imports, compared with each language's own tools.
 *
 *   node bench/code/quality.ts [--show N] [--only NAME] [--write] [--typescript FOLDER] [--python FOLDER]
 *     [--pyright FOLDER] [--java FOLDER] [--c FOLDER] [--cpp FOLDER] [--rust CRATE] [--csharp FOLDER] [--go FOLDER] [--ruby FOLDER --run COMMAND]
 *     [--php FOLDER --run COMMAND]
 *
 * The options with a folder measure the sources in it instead, such as those of a package of the registry or of a
 * distribution; --ruby and --php the calls that a command makes in a folder, such as a run of its tests.
 * --show prints N wrong and N missed relations of each kind. --write updates the table in docs/internals/quality/code-graph.md.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { indexProject } from "../../src/code/indexing/indexer.ts";
import { findCodeProject } from "../../src/code/project.ts";
import { openCodeWriter } from "../../src/store/engine/code_writer.ts";
import { installed } from "../../test/support/program/installed.ts";
import { writeBetweenMarkers } from "../lib/table.ts";
import { phpGold } from "./oracles/php.ts";
import { rubyGold } from "./oracles/ruby.ts";
import { cGold, cppGold, csharpGold, goGold, javaGold, pyrightGold, pythonGold, rustGold } from "./oracles/tools.ts";
import { typescriptGold } from "./oracles/typescript.ts";
import { type CodeScores, type Gold, type Score, scoreCode } from "./score.ts";

const { values } = parseArgs({
  options: {
    show: { type: "string" },
    only: { type: "string" },
    write: { type: "boolean" },
    typescript: { type: "string" },
    python: { type: "string" },
    pyright: { type: "string" },
    java: { type: "string" },
    c: { type: "string" },
    cpp: { type: "string" },
    rust: { type: "string" },
    csharp: { type: "string" },
    go: { type: "string" },
    ruby: { type: "string" },
    php: { type: "string" },
    run: { type: "string" },
  },
});
const root = join(import.meta.dirname, "../..");
const temp = mkdtempSync(join(tmpdir(), "dex-code-"));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));

interface Corpus {
  name: string;
  aims: { precision: number; recall: number };
  /** The folder to index, and which of its files count. */
  prepare(): { folder: string; scope: (path: string) => boolean } | undefined;
  gold(folder: string, files: readonly string[]): Gold;
}

const compiler = (): string => {
  const folder = installed("typescript@5.9.3");
  if (folder === undefined) throw new Error("typescript@5.9.3 is not installed and the registry cannot be reached");
  return folder;
};
const TYPESCRIPT = { precision: 0.97, recall: 0.9 };

const CORPORA: readonly Corpus[] = [
  {
    name: "dex itself (src)",
    aims: TYPESCRIPT,
    prepare: () => {
      const folder = join(temp, "dex");
      // Tests beside the source import the support, and without the packages the compiler knows few types of either.
      for (const part of ["src", "test/support", "package.json", "tsconfig.json"])
        cpSync(join(root, part), join(folder, part), { recursive: true });
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
      return { folder, scope: isTypescript };
    },
    gold: (folder, files) => typescriptGold(compiler(), folder, files),
  },
  packageCorpus("rxjs@7.8.2"),
  packageCorpus("zod@4.1.12"),
  commonjsCorpus("fastify@5.6.1", ["lib", "fastify.js"]),
  commonjsCorpus("express@5.1.0", ["lib"]),
  commonjsCorpus("eslint@9.39.1", ["lib"]),
  {
    name: "Python's standard library",
    aims: { precision: 0.95, recall: 0.85 },
    prepare: () => {
      const library = readdirSync("/usr/lib", { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && /^python3\.\d+$/.test(entry.name))
        .map((entry) => join("/usr/lib", entry.name))
        .find((folder) => existsSync(join(folder, "ast.py")));
      if (library === undefined) return undefined;
      const folder = join(temp, "python");
      const kept = (path: string): boolean =>
        !/\/(__pycache__|dist-packages|site-packages|test|tests|idle_test)$/.test(path);
      cpSync(library, folder, { recursive: true, dereference: true, filter: kept });
      return { folder, scope: (path) => path.endsWith(".py") };
    },
    gold: pythonGold,
  },
];

/** Sources that the user names. */
function namedCorpora(): Corpus[] {
  const found: Corpus[] = [];
  const add = (folder: string | undefined, ending: RegExp, gold: Corpus["gold"]): void => {
    if (folder === undefined) return;
    found.push({
      name: basename(folder),
      aims: { precision: 0.97, recall: 0.9 },
      prepare: () => ({ folder, scope: (path) => ending.test(path) }),
      gold,
    });
  };
  add(values.typescript, /\.[mc]?[jt]sx?$/, (folder, files) => typescriptGold(compiler(), folder, files));
  add(values.python, /\.py$/, pythonGold);
  add(values.pyright, /\.py$/, pyrightGold);
  add(values.java, /\.java$/, javaGold);
  add(values.rust, /\.rs$/, rustGold);
  add(values.c, /\.[ch]$/, cGold);
  add(values.cpp, /\.(cc|cpp|cxx|h|hh|hpp|hxx|inl|ipp|tcc|tpp)$/, cppGold);
  add(values.go, /(?<!_test)\.go$/, goGold);
  add(values.csharp, /\.cs$/, csharpGold);
  add(values.ruby, /\.rb$/, (folder, files) => rubyGold(folder, files, values.run ?? ""));
  add(values.php, /\.php$/, (folder, files) => phpGold(folder, files, values.run ?? ""));
  return found;
}

function packageCorpus(spec: string): Corpus {
  return {
    name: spec,
    aims: TYPESCRIPT,
    prepare: () => {
      const from = installed(spec);
      if (from === undefined) return undefined;
      const folder = join(temp, spec);
      cpSync(join(from, "src"), join(folder, "src"), { recursive: true });
      cpSync(join(from, "package.json"), join(folder, "package.json"));
      // The files of the package's own repository besides the sources: they resolve its own name.
      const name = spec.slice(0, spec.lastIndexOf("@"));
      const options = {
        module: "esnext",
        moduleResolution: "bundler",
        baseUrl: ".",
        paths: { [name]: ["./src/index.ts"], [`${name}/*`]: ["./src/*"] },
      };
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
      return { folder, scope: isTypescript };
    },
    gold: (folder, files) => typescriptGold(compiler(), folder, files),
  };
}

/** A package in JavaScript that requires its own files. */
function commonjsCorpus(spec: string, parts: readonly string[]): Corpus {
  return {
    name: `${spec} (CommonJS)`,
    aims: { precision: 0.97, recall: 0.95 },
    prepare: () => {
      const from = installed(spec);
      if (from === undefined) return undefined;
      const folder = join(temp, spec);
      for (const part of [...parts, "package.json"]) cpSync(join(from, part), join(folder, part), { recursive: true });
      return { folder, scope: (path) => path.endsWith(".js") };
    },
    gold: (folder, files) => typescriptGold(compiler(), folder, files),
  };
}

function isTypescript(path: string): boolean {
  return /\.[mc]?tsx?$/.test(path);
}

const rows: string[][] = [];
const named = namedCorpora();
for (const corpus of named.length > 0 ? named : CORPORA) {
  if (values.only !== undefined && !corpus.name.includes(values.only)) continue;
  const prepared = corpus.prepare();
  if (!prepared) {
    process.stderr.write(`${corpus.name}: left out, it cannot be reached\n`);
    continue;
  }
  const scores = await measure(corpus, prepared.folder, prepared.scope);
  rows.push(
    line(corpus, "calls", scores.calls, corpus.aims),
    ...(scores.imports.gold === 0 ? [] : [line(corpus, "imports", scores.imports, corpus.aims)]),
    line(corpus, 'calls by a search for "name("', scores.grep),
  );
  const { guesses, calls } = scores;
  if (guesses.found > 0) {
    const certain = (calls.precision * calls.found - guesses.right) / Math.max(1, calls.found - guesses.found);
    process.stdout.write(
      `${corpus.name}: ${guesses.right} of ${guesses.found} guesses right; precision without them ${certain.toFixed(3)}\n`,
    );
  }
  if (scores.undecided > 0) process.stdout.write(`${corpus.name}: ${scores.undecided} calls the oracle cannot judge\n`);
  for (const [what, score] of [
    ["call", scores.calls],
    ["import", scores.imports],
  ] as const)
    if (score.gold > 0) show(what, score);
}
const text = tableOf(rows);
process.stdout.write(`${text}\n`);
if (values.write) writeBetweenMarkers(join(root, "docs/internals/quality/code-graph.md"), text, "code");

async function measure(corpus: Corpus, folder: string, scope: (path: string) => boolean): Promise<CodeScores> {
  const home = join(temp, "home", corpus.name.replaceAll(/\W+/g, "_"));
  mkdirSync(home, { recursive: true });
  if (!existsSync(folder)) throw new Error(`${folder} is not there`);
  const project = findCodeProject(home, folder);
  await indexProject(project, { now: Date.now() });
  const writer = openCodeWriter(project.path);
  try {
    const files = writer
      .files()
      .map(({ path }) => path)
      .filter(scope);
    return scoreCode(writer, folder, corpus.gold(folder, files), scope);
  } finally {
    writer.close();
  }
}

function line(corpus: Corpus, what: string, score: Score, aims?: Corpus["aims"]): string[] {
  const figure = (value: number, aim?: number): string =>
    `${value.toFixed(3)}${aim === undefined ? "" : value >= aim ? "" : ` (aim ${aim})`}`;
  return [
    corpus.name,
    what,
    figure(score.precision, aims?.precision),
    figure(score.recall, aims?.recall),
    String(score.found),
    String(score.gold),
  ];
}

function show(what: string, { wrong, missed }: Score): void {
  const most = Number(values.show ?? 0);
  for (const each of sample(wrong, most)) process.stdout.write(`wrong ${what}: ${each}\n`);
  for (const each of sample(missed, most)) process.stdout.write(`missed ${what}: ${each}\n`);
}

/** Spread over the whole list. */
function sample<T>(list: readonly T[], most: number): T[] {
  const step = Math.max(1, list.length / Math.max(1, most));
  return Array.from({ length: Math.min(most, list.length) }, (_, i) => list[Math.floor(i * step)] as T);
}

function tableOf(lines: readonly (readonly string[])[]): string {
  const all = [["corpus", "relation", "precision", "recall", "found", "gold"], ...lines];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((cells) => cells[column]?.length ?? 0))) ?? [];
  const text = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [text(all[0] ?? []), text(widths.map((width) => "-".repeat(width))), ...all.slice(1).map(text)].join("\n");
}
