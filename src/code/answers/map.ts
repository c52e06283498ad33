/**
 * A map of the project within a token budget: the definitions that the rest of the project depends on most, one by one,
 * below their files. An idea of aider's.
 */
import { compareText, plural } from "../../kernel/text.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { cached, filesOf } from "./cache.ts";
import { rankSymbols } from "./ranks/project_ranks.ts";

export interface CodeMap {
  text: string;
  tokens: number;
  files: number;
  /** Number of files that could be shown. */
  of: number;
}

/** Ranked definitions that are looked at: no budget has room for more. */
const MAX_CANDIDATES = 20_000;
/** The start of a signature says what it is; the rest is for `symbol`. */
const MAX_SIGNATURE_CHARS = 120;

export function codeMap(store: CodeReader, budget: number, focus: ReadonlyMap<number, number>): CodeMap {
  const { paths, tests } = pathsOf(store);
  let of = paths.size;
  for (const no of focus.keys()) if (tests.has(no)) of += 1;
  const closing = (shown: number): string => `${shown} of ${plural(of, "file")}`;
  const chosen = new Selection(
    store,
    (no) => paths.get(no) ?? (focus.has(no) ? tests.get(no) : undefined),
    Math.floor(budget / BUDGET_MARGIN) - estimateTokens(closing(of)) - 1,
  );
  for (const [no] of rankSymbols(store, focus).best().take(MAX_CANDIDATES)) {
    const entity = store.entity(no);
    if (entity && !chosen.add(entity)) break;
  }
  const text = [...chosen.lines(), closing(chosen.files)].join("\n");
  return { text, tokens: estimateTokens(text), files: chosen.files, of };
}

/** The paths of files with code by number, and those of tests. */
const pathsOf = cached((store) => {
  const paths = new Map<number, string>();
  const tests = new Map<number, string>();
  for (const { no, path, language, test } of filesOf(store))
    if (language !== "config" && language !== "document") (test ? tests : paths).set(no, path);
  return { paths, tests };
});

class Selection {
  readonly #store: CodeReader;
  readonly #pathOf: (file: number) => string | undefined;
  readonly #shown = new Map<number, Map<number, EntityRow>>();
  /** Lines that are shown, by file: several definitions may share one (overloads, blocks of constants). */
  readonly #texts = new Map<number, Set<string>>();
  #room: number;

  constructor(store: CodeReader, pathOf: (file: number) => string | undefined, room: number) {
    this.#store = store;
    this.#pathOf = pathOf;
    this.#room = room;
  }

  get files(): number {
    return this.#shown.size;
  }

  /** False when the budget is spent. */
  add(entity: EntityRow): boolean {
    const path = this.#pathOf(entity.file);
    if (path === undefined || entity.kind === "test") return true;
    const file = this.#shown.get(entity.file);
    const whole = entity.kind === "file" ? [] : this.#withOwners(entity);
    if (!whole || (entity.kind === "file" && file)) return true;
    const texts = this.#texts.get(entity.file) ?? new Set<string>();
    const fresh = whole.filter((each) => !file?.has(each.no) && !texts.has(lineOf(each)));
    if (fresh.length === 0 && entity.kind !== "file") return true;
    let cost = file ? 0 : estimateTokens(path) + 1;
    for (const each of fresh) cost += estimateTokens(lineOf(each)) + 1;
    if (cost > this.#room) return false;
    this.#room -= cost;
    const shown = file ?? new Map<number, EntityRow>();
    for (const each of fresh) {
      shown.set(each.no, each);
      texts.add(lineOf(each));
    }
    this.#shown.set(entity.file, shown);
    this.#texts.set(entity.file, texts);
    return true;
  }

  /** The definitions around it, outermost first. Undefined inside a function or a test: its owner stands for it. */
  #withOwners(entity: EntityRow): EntityRow[] | undefined {
    const owners: EntityRow[] = [entity];
    for (let at: EntityRow | undefined = entity; at?.parent !== null; ) {
      at = at && this.#store.entity(at.parent ?? -1);
      if (!at || at.kind === "file") break;
      if (at.kind === "function" || at.kind === "method" || at.kind === "test") return undefined;
      owners.unshift(at);
    }
    return owners;
  }

  /** By path and line. */
  lines(): string[] {
    return [...this.#shown]
      .sort((a, b) => compareText(this.#pathOf(a[0]) ?? "", this.#pathOf(b[0]) ?? ""))
      .flatMap(([file, entities]) => [
        this.#pathOf(file) ?? "",
        ...[...entities.values()].sort((a, b) => a.first_line - b.first_line || a.no - b.no).map(lineOf),
      ]);
  }
}

function lineOf({ first_line, signature, qualified, name }: EntityRow): string {
  const depth = qualified === name ? 1 : Math.min(3, qualified.split(".").length);
  return `${"  ".repeat(depth)}${first_line}: ${clip(signature)}`;
}

function clip(signature: string): string {
  return signature.length > MAX_SIGNATURE_CHARS ? `${signature.slice(0, MAX_SIGNATURE_CHARS - 1)}…` : signature;
}
