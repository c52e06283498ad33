/** Projects of source files for tests, and the content of a code store as text that can be compared. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { type IndexReport, indexPaths, indexProject } from "../../src/code/indexing/indexer.ts";
import { type CodeProject, findCodeProject, openCode } from "../../src/code/project.ts";
import { type CodeReader, type EntityRow, type LinkedEntity, RELATIONS } from "../../src/store/code.ts";
import { makeRepository } from "./repository.ts";

/** A text, and the definitions that it is known to call. */
export type CallCases = Readonly<Record<string, readonly [text: string, calls: readonly string[]]>>;

/** A test for each case: `project` gives the files with its text, `main` is the one whose calls are compared. */
export function testCalls(
  cases: CallCases,
  main: string,
  project: (text: string) => Readonly<Record<string, string>>,
  check: (fixture: CodeFixture) => void = () => {},
): void {
  for (const [name, [text, calls]] of Object.entries(cases)) {
    test(name, async () => {
      const fixture = new CodeFixture(project(text));
      try {
        await fixture.index();
        const found = fixture.callsFrom(main).map(({ qualified }) => qualified);
        assert.deepEqual(found.sort(), calls.toSorted());
        check(fixture);
      } finally {
        fixture.dispose();
      }
    });
  }
}

export class CodeFixture {
  readonly folder: string;
  readonly root: string;

  constructor(files: Readonly<Record<string, string>> = {}, options: { git?: boolean } = {}) {
    this.folder = mkdtempSync(join(tmpdir(), "dex-code-"));
    this.root = join(this.folder, "project");
    mkdirSync(this.root);
    if (options.git !== false) makeRepository(this.root);
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { force: true });
  }

  project(home = "home"): CodeProject {
    return findCodeProject(join(this.folder, home), this.root);
  }

  async index(home = "home"): Promise<IndexReport> {
    const done = await indexProject(this.project(home), { now: Date.now() });
    if (!done) throw new Error("another process holds the lock");
    return done;
  }

  async indexPaths(paths: readonly string[]): Promise<IndexReport> {
    const done = await indexPaths(this.project(), paths, { now: Date.now() });
    if (!done) throw new Error("another process holds the lock");
    return done;
  }

  read<T>(use: (store: CodeReader) => T, home = "home"): T {
    const { store } = openCode(this.project(home));
    try {
      return use(store);
    } finally {
      store.close();
    }
  }

  /** The definitions that those of a file are known to call, each once; guesses by name left out. */
  callsFrom(path: string): EntityRow[] {
    const known = this.callEdgesFrom(path).filter(
      ({ edge }) => edge.resolution !== "unique-name" && edge.resolution !== "ambiguous",
    );
    return [...new Map(known.map(({ entity }) => [entity.no, entity])).values()];
  }

  /** All calls of a file's definitions, guesses too. */
  callEdgesFrom(path: string): LinkedEntity[] {
    return this.read((store) =>
      store.entities(store.file(path)?.no ?? -1).flatMap(({ no }) => store.outgoing(no, ["CALLS"])),
    );
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The calls of a file in a project that has only these files, guesses too. */
export async function callEdgesOf(files: Readonly<Record<string, string>>, path: string): Promise<LinkedEntity[]> {
  const fixture = new CodeFixture(files);
  try {
    await fixture.index();
    return fixture.callEdgesFrom(path);
  } finally {
    fixture.dispose();
  }
}

/** Without numbers, which depend on the order of insertion. */
export function dumpCode(store: CodeReader): string[] {
  const lines: string[] = [];
  const paths = new Map(store.files().map((file) => [file.no, file.path]));
  for (const file of store.files()) {
    lines.push(
      `file ${file.path} ${file.language} ${file.hash} ${file.lines} ${JSON.stringify(store.unresolved(file.no))}`,
    );
    for (const entity of store.entities(file.no)) {
      const parent = entity.parent === null ? "" : store.entity(entity.parent)?.qualified;
      const { no: _, file: __, parent: ___, ...rest } = entity;
      lines.push(`entity ${JSON.stringify({ ...rest, parent })}`);
      for (const { entity: to, edge } of store.outgoing(entity.no, RELATIONS)) {
        const { from: _from, to: _to, ...facts } = edge;
        lines.push(`edge ${entity.path}#${entity.qualified} > ${to.path}#${to.qualified} ${JSON.stringify(facts)}`);
      }
    }
  }
  for (const { from, to, weight } of store.links()) lines.push(`link ${paths.get(from)} > ${paths.get(to)} ${weight}`);
  for (const { path, reason } of store.skipped()) lines.push(`skipped ${path} ${reason}`);
  lines.push(`totals ${JSON.stringify(store.totals())}`);
  return lines.sort();
}
