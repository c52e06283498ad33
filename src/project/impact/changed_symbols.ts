/** The definitions that a diff changed, removed, renamed or added, from both texts of each file. */
import type { EntityFact } from "../../code/facts.ts";
import { readDefinitions } from "../../code/indexing/read_file.ts";
import type { EntityKind } from "../../store/code.ts";
import type { ChangedFile, LineSpan } from "./changed_files.ts";

export type Change = "removed" | "renamed" | "signature" | "changed" | "added";

export interface ChangedSymbol {
  /** The path on the side where the symbol exists: before for a removed one. */
  path: string;
  name: string;
  qualified: string;
  kind: EntityKind;
  exported: boolean;
  change: Change;
  line: number;
  /** The qualified name after a rename. */
  renamedTo?: string;
}

export interface FileChange {
  path: string;
  symbols: ChangedSymbol[];
  /** Lines outside all definitions changed. */
  outside: boolean;
}

export async function changedSymbols(file: ChangedFile): Promise<FileChange> {
  const before = file.oldText === undefined ? [] : await readDefinitions(file.oldPath, file.oldText);
  const now = file.newText === undefined ? [] : await readDefinitions(file.path, file.newText);
  const [oldKeys, newKeys] = [keyed(before), keyed(now)];
  const symbols: ChangedSymbol[] = [];
  const touched = new Set([
    ...keysAt(before, oldKeys, file.oldLines).keys,
    ...keysAt(now, newKeys, file.newLines).keys,
  ]);
  const added = [...newKeys].filter(([key, each]) => !oldKeys.has(key) && isShown(each, now));
  for (const [key, old] of oldKeys) {
    if (newKeys.has(key) || !isShown(old, before)) continue;
    const other = added.find(([, each]) => isRenamed(old, each, file));
    if (other) touched.delete(other[0]);
    const change = other ? "renamed" : "removed";
    const renamed = other ? { renamedTo: other[1].qualified } : {};
    symbols.push({ ...symbolOf(file.oldPath, old, change), ...renamed });
  }
  for (const key of touched) {
    const each = newKeys.get(key);
    const old = oldKeys.get(key);
    if (!each) continue;
    const change = !old ? "added" : old.signature === each.signature ? "changed" : "signature";
    symbols.push(symbolOf(file.path, each, change));
  }
  const outside = keysAt(before, oldKeys, file.oldLines).outside || keysAt(now, newKeys, file.newLines).outside;
  return { path: file.path, symbols, outside };
}

function symbolOf(path: string, each: EntityFact, change: Change): ChangedSymbol {
  const { name, qualified, kind, exported, first } = each;
  return { path, name, qualified, kind, exported, change, line: first };
}

/** By kind, qualified name, and the position among definitions with the same ones. */
function keyed(list: readonly EntityFact[]): Map<string, EntityFact> {
  const found = new Map<string, EntityFact>();
  for (const each of list) {
    const key = `${each.kind} ${each.qualified}`;
    let nth = 0;
    while (found.has(`${key} ${nth}`)) nth += 1;
    found.set(`${key} ${nth}`, each);
  }
  return found;
}

/** Tests, and definitions inside functions, also within a class there, are not symbols that others use. */
function isShown(each: EntityFact, list: readonly EntityFact[]): boolean {
  if (each.kind === "test") return false;
  for (let owner = list[each.parent]; owner; owner = list[owner.parent])
    if (owner.kind === "function" || owner.kind === "method" || owner.kind === "test") return false;
  return true;
}

/** The innermost shown definitions around the lines. */
function keysAt(list: readonly EntityFact[], keys: ReadonlyMap<string, EntityFact>, spans: readonly LineSpan[]) {
  const entries = [...keys].filter(([, each]) => isShown(each, list));
  const found = new Set<string>();
  let outside = false;
  for (const { first, last } of spans) {
    const over = entries.filter(([, each]) => each.first <= last && each.last >= first);
    const inner = over.filter(
      ([, each]) => !over.some(([, other]) => other !== each && isWithin(other, each, first, last)),
    );
    for (const [key] of inner) found.add(key);
    if (over.length === 0) outside = true;
  }
  return { keys: found, outside };
}

/** Whether `inner` is inside `outer` and contains all changed lines of it. */
function isWithin(inner: EntityFact, outer: EntityFact, first: number, last: number): boolean {
  const smaller = inner.last - inner.first < outer.last - outer.first;
  return (
    smaller &&
    inner.first >= outer.first &&
    inner.last <= outer.last &&
    inner.first <= Math.max(first, outer.first) &&
    inner.last >= Math.min(last, outer.last)
  );
}

/** The same text but for the name. */
function isRenamed(old: EntityFact, now: EntityFact, { oldText = "", newText = "" }: ChangedFile): boolean {
  if (old.kind !== now.kind || old.parent >= 0 !== now.parent >= 0) return false;
  return textOf(oldText, old).replaceAll(old.name, now.name) === textOf(newText, now);
}

function textOf(text: string, { first, last }: EntityFact): string {
  return text
    .split("\n")
    .slice(first - 1, last)
    .join("\n");
}
