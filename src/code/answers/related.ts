/**
 * Relations of one file to others: imports in both directions, tests, documents that mention it, files with the same name
 * or folder, and proximity in the graph. These are facts only; callers decide how much each one counts.
 */
import type { CodeFileRow, CodeReader, Relation } from "../../store/code.ts";
import { folderOf } from "../modules/module.ts";
import { stem } from "../test_paths.ts";
import { cached, filesOf } from "./cache.ts";
import { rankFiles } from "./ranks/project_ranks.ts";

export interface Ties {
  /** The given file imports this one, or is imported by it. */
  imported: boolean;
  importer: boolean;
  /** Confidence that this one tests the given file, or is tested by it. */
  tests: number;
  tested: number;
  /** Confidence that this one is a document that mentions the given file, or the reverse. */
  documents: number;
  documented: number;
  sameName: boolean;
  sameFolder: boolean;
  /** Proximity in the graph; 1 is the nearest. */
  near: number;
}

/** Only the first definitions of a larger file are followed. */
const MAX_ENTITIES = 150;
const MAX_NEAR = 30;
/** Sharing a larger folder says little, and all its files would become candidates. */
const MAX_FOLDER_FILES = 60;

/** By path, without the file itself. */
export function relatedFiles(store: CodeReader, file: CodeFileRow): Map<string, Ties> {
  const { byNo, byStem, byFolder } = neighbours(store);
  const found = new Map<string, Ties>();
  const tie = (path: string | undefined, set: (ties: Ties) => void): void => {
    if (path === undefined || path === file.path) return;
    const ties = found.get(path) ?? noTies();
    set(ties);
    found.set(path, ties);
  };
  const entities = store.entities(file.no).slice(0, MAX_ENTITIES);
  const root = entities[0]?.no ?? -1;
  for (const { entity } of store.outgoing(root, ["IMPORTS"])) tie(entity.path, (ties) => (ties.imported = true));
  for (const { entity } of store.incoming(root, ["IMPORTS"])) tie(entity.path, (ties) => (ties.importer = true));
  for (const { no } of entities) {
    for (const { entity, edge } of store.incoming(no, TESTS_AND_DOCUMENTS)) {
      const kind = edge.relation === "TESTS" ? "tests" : "documents";
      tie(entity.path, (ties) => (ties[kind] = Math.max(ties[kind], edge.confidence)));
    }
    for (const { entity, edge } of store.outgoing(no, TESTS_AND_DOCUMENTS)) {
      const kind = edge.relation === "TESTS" ? "tested" : "documented";
      tie(entity.path, (ties) => (ties[kind] = Math.max(ties[kind], edge.confidence)));
    }
  }
  const name = stem(file.path);
  if (name !== "index") for (const path of byStem.get(name) ?? []) tie(path, (ties) => (ties.sameName = true));
  const folderMates = byFolder.get(folderOf(file.path)) ?? [];
  if (folderMates.length <= MAX_FOLDER_FILES)
    for (const path of folderMates) tie(path, (ties) => (ties.sameFolder = true));
  const nearest = rankFiles(store, new Map([[file.no, 1]]))
    .best()
    .filter(([no]) => no !== file.no)
    .take(MAX_NEAR)
    .toArray();
  const most = nearest[0]?.[1] ?? 0;
  if (most > 0) for (const [no, rank] of nearest) tie(byNo.get(no), (ties) => (ties.near = rank / most));
  return found;
}

const TESTS_AND_DOCUMENTS: readonly Relation[] = ["TESTS", "DOCUMENTS"];

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
