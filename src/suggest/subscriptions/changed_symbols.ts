/**
 * Finds the definitions a change touched by comparing hashes of their text with remembered ones. Only watched symbols
 * are remembered; for a symbol that was not watched before, any change to its file counts.
 */
import { existsSync } from "node:fs";
import { findCodeProject, openCode } from "../../code/project.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import type { ChangeBatch } from "../model.ts";
import type { ChangedSymbol } from "./match.ts";
import { type SymbolTest, symbolTest } from "./symbols.ts";

/** A checkout may change thousands of files; only the definitions of the first ones are compared. */
const MAX_FILES = 200;
const MAX_REMEMBERED = 50_000;

interface Known {
  symbol: ChangedSymbol;
  hash: string;
}

export class SymbolMemory {
  readonly #folder: string;
  readonly #known = new Map<string, Known>();

  /** The project's folder. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Remembers the state before the first change. `codeDir`: the folder of the code databases. */
  remember(codeDir: string, patterns: readonly string[]): void {
    if (patterns.length === 0) return;
    const tests = patterns.map(symbolTest);
    this.#withCode(codeDir, (store) => {
      for (const name of store.names()) {
        // `Class.method` cannot match an unqualified name, so its last part is compared.
        if (!patterns.some((pattern, i) => tests[i]?.(name, name) || pattern.endsWith(`.${name}`))) continue;
        for (const entity of store.named(name)) this.#keep(entity);
      }
    });
  }

  changed(codeDir: string, { changed, removed }: ChangeBatch, tests: readonly SymbolTest[]): ChangedSymbol[] {
    const gone = removed.slice(0, MAX_FILES).flatMap((file) => this.#forget(file));
    const found: ChangedSymbol[] = [];
    this.#withCode(codeDir, (store) => {
      for (const path of changed.slice(0, MAX_FILES)) {
        const file = store.file(path);
        for (const entity of file ? store.entities(file.no) : []) {
          if (entity.kind === "file" || !tests.some((test) => test(entity.name, entity.qualified))) continue;
          if (this.#known.get(keyOf(entity))?.hash === entity.hash) continue;
          this.#keep(entity);
          found.push(symbolOf(entity));
        }
      }
    });
    return [...found, ...gone];
  }

  #keep(entity: EntityRow): void {
    if (this.#known.size < MAX_REMEMBERED || this.#known.has(keyOf(entity))) {
      this.#known.set(keyOf(entity), { symbol: symbolOf(entity), hash: entity.hash });
    }
  }

  #forget(file: string): ChangedSymbol[] {
    const gone = [...this.#known].filter(([, { symbol }]) => symbol.file === file);
    for (const [key] of gone) this.#known.delete(key);
    return gone.map(([, { symbol }]) => symbol);
  }

  /** Does nothing if the code was never indexed. */
  #withCode(codeDir: string, work: (store: CodeReader) => void): void {
    const project = findCodeProject(codeDir, this.#folder);
    if (!existsSync(project.path)) return;
    const { store } = openCode(project);
    try {
      work(store);
    } finally {
      store.close();
    }
  }
}

function keyOf({ path, qualified, kind }: EntityRow): string {
  return `${path}\n${kind} ${qualified}`;
}

function symbolOf({ name, qualified, path }: EntityRow): ChangedSymbol {
  return { name, qualified, file: path };
}
