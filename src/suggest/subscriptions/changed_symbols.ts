/**
 * Which definitions a change touched: those whose text differs from what it was. What it was is remembered for symbols
 * that somebody watches; of a symbol that was not watched before, any change to its file counts.
 */
import { existsSync } from "node:fs";
import { findProject, openCode } from "../../code/project.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import type { ChangeBatch } from "../model.ts";
import type { ChangedSymbol } from "./match.ts";
import { type SymbolTest, symbolTest } from "./symbols.ts";

/** A checkout touches thousands of files: the definitions of so many are looked at. */
const MOST_FILES = 200;
const MOST_REMEMBERED = 50_000;

interface Known {
  symbol: ChangedSymbol;
  hash: string;
}

export class SymbolMemory {
  readonly #folder: string;
  readonly #known = new Map<string, Known>();

  /** Of the project. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As things stand before the first change. `places`: where the stores of code lie. */
  remember(places: string, patterns: readonly string[]): void {
    if (patterns.length === 0) return;
    const tests = patterns.map(symbolTest);
    this.#withCode(places, (store) => {
      for (const name of store.names()) {
        // Names alone do not tell what `Class.method` matches: its last part does.
        if (!patterns.some((pattern, i) => tests[i]?.(name, name) || pattern.endsWith(`.${name}`))) continue;
        for (const entity of store.named(name)) this.#keep(entity);
      }
    });
  }

  changed(places: string, { changed, removed }: ChangeBatch, tests: readonly SymbolTest[]): ChangedSymbol[] {
    const gone = removed.slice(0, MOST_FILES).flatMap((file) => this.#forget(file));
    const found: ChangedSymbol[] = [];
    this.#withCode(places, (store) => {
      for (const path of changed.slice(0, MOST_FILES)) {
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
    if (this.#known.size < MOST_REMEMBERED || this.#known.has(keyOf(entity))) {
      this.#known.set(keyOf(entity), { symbol: symbolOf(entity), hash: entity.hash });
    }
  }

  #forget(file: string): ChangedSymbol[] {
    const gone = [...this.#known].filter(([, { symbol }]) => symbol.file === file);
    for (const [key] of gone) this.#known.delete(key);
    return gone.map(([, { symbol }]) => symbol);
  }

  /** Where the code was never read, nothing is known of symbols. */
  #withCode(places: string, work: (store: CodeReader) => void): void {
    const project = findProject(places, this.#folder);
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
