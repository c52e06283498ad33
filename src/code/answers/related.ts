/** Files that belong together with one: what it imports, what imports it, its tests, its namesakes and neighbours. */
import { compareText } from "../../kernel/text.ts";
import type { CodeFileRow, CodeReader } from "../../store/code.ts";
import { folderOf } from "../modules/module.ts";
import { stem } from "../test_paths.ts";
import { cached, filesOf } from "./cache.ts";
import { rankFiles } from "./pagerank.ts";

export interface RelatedFile {
  path: string;
  score: number;
  /** What speaks for it, the strongest first. */
  why: string[];
}

/**
 * Another kind of evidence, such as files that were changed together: for each path how much speaks for it, from 0 to
 * 1, and the words for that.
 */
export type Evidence = (path: string) => ReadonlyMap<string, { weight: number; why: string }>;

const WEIGHTS = { imports: 0.5, importers: 0.4, tests: 0.8, name: 0.6, folder: 0.15, rank: 0.3 };

export function relatedFiles(store: CodeReader, file: CodeFileRow, evidence: readonly Evidence[] = []): RelatedFile[] {
  const { byNo, byStem, byFolder } = neighbours(store);
  const found = new Map<string, { score: number; why: { text: string; weight: number }[] }>();
  const add = (path: string | undefined, weight: number, text: string): void => {
    if (path === undefined || weight <= 0 || path === file.path) return;
    const entry = found.get(path) ?? { score: 0, why: [] };
    // Evidence adds up without ever passing 1.
    entry.score += (1 - entry.score) * Math.min(weight, 1);
    entry.why.push({ text, weight });
    found.set(path, entry);
  };
  const root = store.entities(file.no)[0]?.no ?? -1;
  for (const { entity } of store.outgoing(root, ["IMPORTS"])) add(entity.path, WEIGHTS.imports, "imported by it");
  for (const { entity } of store.incoming(root, ["IMPORTS"])) add(entity.path, WEIGHTS.importers, "imports it");
  for (const { entity, edge } of store.incoming(root, ["TESTS"]))
    add(entity.path, WEIGHTS.tests * edge.confidence, "tests it");
  for (const { entity, edge } of store.outgoing(root, ["TESTS"]))
    add(entity.path, WEIGHTS.tests * edge.confidence, "tested by it");
  const name = stem(file.path);
  const folder = folderOf(file.path);
  if (name !== "index") for (const path of byStem.get(name) ?? []) add(path, WEIGHTS.name, "has the same name");
  if (folder !== "") for (const path of byFolder.get(folder) ?? []) add(path, WEIGHTS.folder, "is in the same folder");
  const ranks = [...rankFiles(store, new Map([[file.no, 1]]))].sort((a, b) => b[1] - a[1]).slice(0, 30);
  const most = ranks.find(([no]) => no !== file.no)?.[1] || 1;
  for (const [no, rank] of ranks) add(byNo.get(no), WEIGHTS.rank * Math.min(1, rank / most), "is near in the graph");
  for (const source of evidence) for (const [path, { weight, why }] of source(file.path)) add(path, weight, why);
  return [...found.entries()]
    .map(([path, { score, why }]) => ({
      path,
      score: Math.round(score * 1000) / 1000,
      why: why.sort((a, b) => b.weight - a.weight).map(({ text }) => text),
    }))
    .sort((a, b) => b.score - a.score || compareText(a.path, b.path));
}

const neighbours = cached((store) => {
  const byNo = new Map<number, string>();
  const byStem = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  for (const { no, path, language } of filesOf(store)) {
    if (language === "config") continue;
    byNo.set(no, path);
    byStem.set(stem(path), [...(byStem.get(stem(path)) ?? []), path]);
    const folder = byFolder.get(folderOf(path)) ?? [];
    folder.push(path);
    byFolder.set(folderOf(path), folder);
  }
  return { byNo, byStem, byFolder };
});
