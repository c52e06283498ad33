/**
 * A map of the project within a token budget: the definitions that the rest of the project depends on most, one by one,
 * below their files. An idea of aider's.
 */
import { compareText, plural } from "../../kernel/text.ts";
import type { CodeReader, EntityRow } from "../../store/code.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../tokens/estimate.ts";
import { filesOf } from "./cache.ts";
import { rankSymbols } from "./pagerank.ts";

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
  const files = filesOf(store).filter(
    ({ no, language, test }) => language !== "config" && language !== "document" && (!test || focus.has(no)),
  );
  const paths = new Map(files.map(({ no, path }) => [no, path]));
  const ranks = [...rankSymbols(store, focus)].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MAX_CANDIDATES);
  const closing = (shown: number): string => `${shown} of ${plural(files.length, "file")}`;
  const chosen = new Selection(
    store,
    paths,
    Math.floor(budget / BUDGET_MARGIN) - estimateTokens(closing(files.length)) - 1,
  );
  for (const [no] of ranks) {
    const entity = store.entity(no);
    if (entity && !chosen.add(entity)) break;
  }
  const text = [...chosen.lines(), closing(chosen.files)].join("\n");
  return { text, tokens: estimateTokens(text), files: chosen.files, of: files.length };
}

class Selection {
  readonly #store: CodeReader;
  readonly #paths: ReadonlyMap<number, string>;
  readonly #shown = new Map<number, Map<number, EntityRow>>();
  /** Lines that are shown, by file: several definitions may share one (overloads, blocks of constants). */
  readonly #texts = new Map<number, Set<string>>();
  #room: number;

  constructor(store: CodeReader, paths: ReadonlyMap<number, string>, room: number) {
    this.#store = store;
    this.#paths = paths;
    this.#room = room;
  }

  get files(): number {
    return this.#shown.size;
  }

  /** False when the budget is spent. */
  add(entity: EntityRow): boolean {
    const path = this.#paths.get(entity.file);
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
      .sort((a, b) => compareText(this.#paths.get(a[0]) ?? "", this.#paths.get(b[0]) ?? ""))
      .flatMap(([file, entities]) => [
        this.#paths.get(file) ?? "",
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
