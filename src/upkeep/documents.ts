/** Collections of documentation for `dex doctor`: last sync, failures, missing trust, and damage in the archive. */
import { rmSync } from "node:fs";
import { damagedContents, listCollectionFolders, readArchived } from "../collections/archive.ts";
import { untrustedError } from "../collections/declaring/declared.ts";
import { rebuildDocuments, syncCollections } from "../collections/service.ts";
import type { Dex } from "../dex.ts";
import { DexError, errorMessage } from "../kernel/errors.ts";
import { plural } from "../kernel/text.ts";
import { isCorruption } from "../store/engine/database.ts";
import { counted, type Problem, REPAIR, type Repair } from "./problem.ts";

export interface CollectionState {
  name: string;
  origin: "project" | "global";
  source: string;
  documents: number;
  /** When its last sync ended; null: never. */
  synced: string | null;
  /** Documents that the last sync could not fetch. */
  failed: number;
  /** False when it points outside the project and the user has not run `dex trust`. */
  trusted: boolean;
}

export async function collectionStates(dex: Dex): Promise<{ collections: CollectionState[]; problems: Problem[] }> {
  try {
    return await statesIn(dex);
  } catch (error) {
    // Unreadable settings or an unreadable database are one problem, and must not hide the others.
    if (!(error instanceof DexError) && !isCorruption(error)) throw error;
    const what = error instanceof DexError ? error.message : `${dex.paths.documents} cannot be read.`;
    const problem = { code: "documents_unreadable", what, path: dex.paths.documents, fix: REPAIR };
    return { collections: [], problems: [problem] };
  }
}

async function statesIn(dex: Dex): Promise<{ collections: CollectionState[]; problems: Problem[] }> {
  const declared = await dex.collections();
  if (declared.length === 0) return { collections: [], problems: [] };
  const rows = new Map((await dex.library()).reader.collections().map((row) => [row.id, row]));
  const collections = declared.map(({ name, origin, canonical, id, trusted, file, implicit }) => {
    const row = trusted ? rows.get(id) : undefined;
    const synced = row?.synced == null ? null : new Date(row.synced).toISOString();
    const { documents = 0, failed = 0 } = row ?? {};
    return { name, origin, source: implicit ? file : canonical, documents, synced, failed, trusted };
  });
  const problems = declared.flatMap((each, i): Problem[] => {
    const { name, trusted, synced, failed } = collections[i] as CollectionState;
    const path = each.file;
    if (!trusted) return [{ code: "untrusted", what: untrustedError(each).message, path, fix: "dex trust" }];
    const fix = `dex docs sync ${name}`;
    if (synced === null && each.implicit) return [];
    if (synced === null)
      return [{ code: "never_synced", what: `The collection "${name}" was never synced.`, path, fix }];
    if (failed === 0) return [];
    const what = `The last sync of "${name}" was not complete: ${plural(failed, "failure")}.`;
    return [{ code: "sync_incomplete", what, path, fix }];
  });
  return { collections, problems };
}

/** Collections whose archived listing or contents are missing or damaged. */
export function archivedDocumentProblems(archive: string): Problem[] {
  return listCollectionFolders(archive).flatMap(({ id, listing }): Problem[] => {
    const archived = readArchived(archive, id);
    if (!archived) {
      const what = `${listing}, which names the files of a collection, is missing or damaged.`;
      return [{ code: "collection_damaged", what, path: listing, fix: REPAIR }];
    }
    const damaged = damagedContents(archive, id, archived);
    const [first] = damaged;
    if (!first) return [];
    const what = `Archived documents of ${archived.canonical} are missing or damaged: ${counted(damaged, "file")}.`;
    return [{ code: "collection_damaged", what, path: first, fix: REPAIR }];
  });
}

/** Removes damaged contents and syncs their collections again from the origin. */
export async function repairArchivedDocuments(dex: Dex): Promise<Repair> {
  const done: Repair = { fixed: [], lost: [] };
  const archive = dex.paths.documentArchive;
  const declared = new Map((await dex.collections()).map((each) => [each.id, each]));
  for (const { id, listing } of listCollectionFolders(archive)) {
    const archived = readArchived(archive, id);
    const damaged = archived ? damagedContents(archive, id, archived) : [listing];
    if (damaged.length === 0) continue;
    for (const path of damaged) rmSync(path, { force: true });
    const [file = ""] = archived?.declared ?? [];
    const known = declared.get(id);
    const { source, canonical } = archived ?? {};
    const wanted =
      known ??
      (source && canonical
        ? { name: id, id, source, canonical, file, origin: "global" as const, trusted: true }
        : undefined);
    if (!wanted) {
      done.lost.push(`A collection that no settings name any more: ${listing}.`);
      continue;
    }
    try {
      const [outcome] = (await syncCollections(dex, [wanted], { full: true })) ?? [];
      if (outcome?.error) throw outcome.error;
      done.fixed.push(`Read ${wanted.canonical} again: ${counted(damaged, "file")} were gone or damaged.`);
    } catch (error) {
      done.lost.push(`${counted(damaged, "archived file")} of ${wanted.canonical}: ${errorMessage(error)}`);
    }
  }
  return done;
}

export async function repairDocuments(dex: Dex): Promise<Repair> {
  const rebuilt = await rebuildDocuments(dex, 30_000);
  if (!rebuilt)
    throw new DexError("busy", "Another dex process is writing the documents.", {
      hint: "Wait for it to finish and run the command again.",
    });
  return {
    fixed: [`Rebuilt documents.db from the archive: ${plural(rebuilt.documents, "document")}.`],
    lost: rebuilt.failed.map(({ source, error }) => `${source}: ${error}`),
  };
}
