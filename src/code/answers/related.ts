/**
 * What ties other files to one: what it imports, what imports it, its tests, documents that speak of it, its namesakes
 * and neighbours, and how near they are in the graph. These are facts; how much each of them says is not decided here.
 */
import type { CodeFileRow, CodeReader, Relation } from "../../store/code.ts";
import { folderOf } from "../modules/module.ts";
import { stem } from "../test_paths.ts";
import { cached, filesOf } from "./cache.ts";
import { rankFiles } from "./pagerank.ts";

export interface Ties {
  /** The file imports it, it imports the file. */
  imported: boolean;
  importer: boolean;
  /** It tests the file, is tested by it: how surely. */
  tests: number;
  tested: number;
  /** It is a document that speaks of the file, or the other way round. */
  documents: number;
  documented: number;
  sameName: boolean;
  sameFolder: boolean;
  /** 1: the nearest in the graph. */
  near: number;
}

/** A file of more definitions than this is looked at by its first. */
const MOST_ENTITIES = 150;
const MOST_NEAR = 30;
/** In a folder of more files being in it says little, and they would all be candidates. */
const LARGEST_FOLDER = 60;

/** By path; the file itself is not among them. */
export function relatedFiles(store: CodeReader, file: CodeFileRow): Map<string, Ties> {
  const { byNo, byStem, byFolder } = neighbours(store);
  const found = new Map<string, Ties>();
  const tie = (path: string | undefined, set: (ties: Ties) => void): void => {
    if (path === undefined || path === file.path) return;
    const ties = found.get(path) ?? noTies();
    set(ties);
    found.set(path, ties);
  };
  const entities = store.entities(file.no).slice(0, MOST_ENTITIES);
  const root = entities[0]?.no ?? -1;
  for (const { entity } of store.outgoing(root, ["IMPORTS"])) tie(entity.path, (ties) => (ties.imported = true));
  for (const { entity } of store.incoming(root, ["IMPORTS"])) tie(entity.path, (ties) => (ties.importer = true));
  for (const { no } of entities) {
    for (const { entity, edge } of store.incoming(no, WITNESSES)) {
      const kind = edge.relation === "TESTS" ? "tests" : "documents";
      tie(entity.path, (ties) => (ties[kind] = Math.max(ties[kind], edge.confidence)));
    }
    for (const { entity, edge } of store.outgoing(no, WITNESSES)) {
      const kind = edge.relation === "TESTS" ? "tested" : "documented";
      tie(entity.path, (ties) => (ties[kind] = Math.max(ties[kind], edge.confidence)));
    }
  }
  const name = stem(file.path);
  if (name !== "index") for (const path of byStem.get(name) ?? []) tie(path, (ties) => (ties.sameName = true));
  const beside = byFolder.get(folderOf(file.path)) ?? [];
  if (beside.length <= LARGEST_FOLDER) for (const path of beside) tie(path, (ties) => (ties.sameFolder = true));
  const ranks = [...rankFiles(store, new Map([[file.no, 1]]))].filter(([no]) => no !== file.no);
  ranks.sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const most = ranks[0]?.[1] ?? 0;
  if (most > 0) {
    for (const [no, rank] of ranks.slice(0, MOST_NEAR)) tie(byNo.get(no), (ties) => (ties.near = rank / most));
  }
  return found;
}

const WITNESSES: readonly Relation[] = ["TESTS", "DOCUMENTS"];

function noTies(): Ties {
  return {
    imported: false,
    importer: false,
    tests: 0,
    tested: 0,
    documents: 0,
    documented: 0,
    sameName: false,
    sameFolder: false,
    near: 0,
  };
}

const neighbours = cached((store) => {
  const byNo = new Map<number, string>();
  const byStem = new Map<string, string[]>();
  const byFolder = new Map<string, string[]>();
  const into = (map: Map<string, string[]>, key: string, path: string): void => {
    const list = map.get(key);
    if (list) list.push(path);
    else map.set(key, [path]);
  };
  for (const { no, path, language } of filesOf(store)) {
    if (language === "config") continue;
    byNo.set(no, path);
    into(byStem, stem(path), path);
    into(byFolder, folderOf(path), path);
  }
  return { byNo, byStem, byFolder };
});
