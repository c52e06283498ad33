/**
 * Measures `dex code references` line by line against a language's own tool: TypeScript's language service, or jedi.
 *
 *   node bench/code/references.ts FOLDER [--python PROGRAM] [--symbols 200] [--seed 7] [--half 0|1] [--show N]
 *
 * FOLDER is a checkout; its files are only read. --python names a Python with jedi and asks it instead. The symbols are a
 * random sample; --half takes every other one, so that a change can be made with one half and measured with the other.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { references } from "../../src/code/answers/references.ts";
import { indexProject } from "../../src/code/indexing/indexer.ts";
import { findCodeProject, openCode } from "../../src/code/project.ts";
import type { EntityRow } from "../../src/store/code.ts";
import { installed } from "../../test/support/program/installed.ts";
import { seeded } from "../../test/support/random.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    python: { type: "string" },
    symbols: { type: "string" },
    seed: { type: "string" },
    half: { type: "string" },
    show: { type: "string" },
  },
});
const home = mkdtempSync(join(tmpdir(), "dex-references-"));
process.once("exit", () => rmSync(home, { recursive: true, force: true }));
const project = findCodeProject(home, positionals[0] ?? ".");
await indexProject(project, { now: Date.now() });
const { store } = openCode(project);
const matching = values.python === undefined ? /\.tsx?$/ : /\.py$/;
const files = store.files().filter(({ path }) => matching.test(path));
const paths = new Set(files.map(({ path }) => path));
const random = seeded(Number(values.seed ?? 7));
const all = files
  .filter(({ test }) => !test)
  .flatMap(({ no }) => store.entities(no))
  .filter(({ kind, name }) => kind !== "file" && kind !== "test" && /^[\w$]+$/.test(name) && name !== "default");
const sample: EntityRow[] = [];
while (sample.length < Number(values.symbols ?? 200) && all.length > 0)
  sample.push(...all.splice(Math.floor(random() * all.length), 1));
const asked = values.half === undefined ? sample : sample.filter((_, at) => at % 2 === Number(values.half));

/** Lines as `path:line`; undefined where the tool does not know the symbol. */
type Oracle = (entity: EntityRow, column: number, line: number) => ReadonlySet<string> | undefined;
const oracle = values.python === undefined ? typescriptOracle() : jediOracle(values.python);

const kinds = new Map<
  string,
  { right: number; wrong: number; missed: number; guessed: number; guessedRight: number; symbols: number }
>();
const shown: string[] = [];
for (const entity of asked) {
  const text = readFileSync(join(project.root, entity.path), "utf8").split("\n");
  const place = nameIn(text, entity);
  const gold = place && oracle(entity, place.column, place.line);
  if (!gold) continue;
  const own = new Set([`${entity.path}:${place.line}`]);
  const count = kinds.get(entity.kind) ?? { right: 0, wrong: 0, missed: 0, guessed: 0, guessedRight: 0, symbols: 0 };
  kinds.set(entity.kind, count);
  count.symbols += 1;
  const found = new Set<string>();
  for (const { entity: from, lines, resolution, use, via } of references(store, { symbols: [entity] }).results) {
    if (use === "document" || !paths.has(from.path)) continue;
    for (const line of lines) {
      const key = `${from.path}:${line}`;
      if (own.has(key)) continue;
      found.add(key);
      if (resolution === "unique-name" || via !== undefined) {
        count.guessed += 1;
        if (gold.has(key)) count.guessedRight += 1;
      } else if (gold.has(key)) count.right += 1;
      else {
        count.wrong += 1;
        shown.push(`wrong  ${entity.qualified} (${entity.path}): ${use} ${key}`);
      }
    }
  }
  for (const key of gold) {
    if (own.has(key) || found.has(key) || !paths.has(key.slice(0, key.lastIndexOf(":")))) continue;
    count.missed += 1;
    shown.push(`missed ${entity.kind} ${entity.qualified} (${entity.path}): ${key}`);
  }
}
const sum = { right: 0, wrong: 0, missed: 0, guessed: 0, guessedRight: 0, symbols: 0 };
for (const count of kinds.values()) for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += count[key];
for (const [kind, { right, wrong, missed, guessed, guessedRight, symbols }] of [...kinds, ["all", sum] as const]) {
  const precision = (right / Math.max(1, right + wrong)).toFixed(3);
  const recall = (right / Math.max(1, right + missed + guessedRight)).toFixed(3);
  process.stdout.write(
    `${kind.padEnd(10)} ${symbols} symbols: precision ${precision} (${right + wrong} lines), recall ${recall} (${right + missed + guessedRight}); guesses ${guessedRight}/${guessed} right\n`,
  );
}
for (const line of shown.slice(0, Number(values.show ?? 0))) process.stdout.write(`${line}\n`);

/** The name in the definition's text. */
function nameIn(text: readonly string[], { name, first_line, last_line }: EntityRow) {
  const word = new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`);
  for (let line = first_line; line <= Math.min(last_line, first_line + 8); line += 1) {
    const content = text[line - 1] ?? "";
    if (/^\s*(@|\/\/|\*|#)/.test(content)) continue;
    const column = word.exec(content)?.index;
    if (column !== undefined) return { line, column };
  }
  return undefined;
}

function typescriptOracle(): Oracle {
  const folder = installed("typescript@5.9.3");
  if (folder === undefined) throw new Error("typescript@5.9.3 is not installed and the registry cannot be reached");
  const require = createRequire(import.meta.url);
  const ts = require(folder);
  const config = ts.readConfigFile(join(project.root, "tsconfig.json"), ts.sys.readFile).config ?? {};
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions ?? {}, project.root);
  const names = files.map(({ path }) => join(project.root, path));
  const service = ts.createLanguageService({
    getScriptFileNames: () => names,
    getScriptVersion: () => "1",
    getScriptSnapshot: (path: string) => {
      const text = ts.sys.readFile(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => project.root,
    getCompilationSettings: () => ({ ...options, noEmit: true }),
    getDefaultLibFileName: (given: object) => ts.getDefaultLibFilePath(given),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const program = service.getProgram();
  return (entity, column, line) => {
    const path = join(project.root, entity.path);
    const source = program.getSourceFile(path);
    if (!source) return undefined;
    const found = service.findReferences(path, source.getPositionOfLineAndCharacter(line - 1, column));
    if (!found) return undefined;
    const lines = new Set<string>();
    for (const { references: each } of found) {
      for (const { fileName, textSpan, isDefinition } of each) {
        if (isDefinition || !fileName.startsWith(`${project.root}/`)) continue;
        const at = program.getSourceFile(fileName)?.getLineAndCharacterOfPosition(textSpan.start).line;
        lines.add(`${fileName.slice(project.root.length + 1)}:${at + 1}`);
      }
    }
    return lines;
  };
}

function jediOracle(python: string): Oracle {
  const script = join(import.meta.dirname, "references.py");
  return (entity, column, line) => {
    const args = [script, project.root, entity.path, String(line), String(column)];
    const { stdout, status } = spawnSync(python, args, { encoding: "utf8", timeout: 60_000 });
    return status === 0 ? new Set(stdout.split("\n").filter((each) => each !== "")) : undefined;
  };
}
