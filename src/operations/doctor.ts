import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { Dex } from "../dex.ts";
import { StaticEmbedder } from "../embedding/static.ts";
import { DexError } from "../kernel/errors.ts";
import { plural } from "../kernel/text.ts";
import { SOURCES } from "../sources/registry.ts";
import { archiveSize, listArchive } from "../store/archive.ts";
import { isCorruption } from "../store/sqlite/database.ts";
import { storedPath } from "../sync/fields.ts";
import { reconcile } from "../sync/rebuild.ts";
import { checkFreshness, sourceEnv } from "../sync/service.ts";
import { busyError, rebuildIndex, withWriter } from "../sync/sync.ts";
import { VERSION } from "../version.ts";
import { connectionState, connectionStates } from "./connections.ts";
import { collectionState, collectionStates } from "./doctor_collections.ts";
import { defineOperation } from "./operation.ts";

const problem = z.object({ what: z.string(), fix: z.string() });
type Problem = z.output<typeof problem>;

export const doctor = defineOperation({
  name: "dex_doctor",
  verb: "doctor",
  summary: "What was found for each agent, whether dex is connected to it, and whether archive and index are sound",
  positionals: [],
  input: z.strictObject({ fix: z.boolean().default(false).describe("Repair what can be repaired") }),
  output: z.object({
    version: z.string(),
    node: z.string(),
    home: z.string(),
    agents: z.array(
      z.object({
        source: z.string(),
        name: z.string(),
        found: z.boolean(),
        places: z.array(z.string()),
        files: z.number(),
        bytes: z.number(),
        conversations: z.number(),
      }),
    ),
    connections: z.array(connectionState),
    index: z.object({
      state: z.string(),
      conversations: z.number(),
      last_sync: z.string().nullable(),
      changed_files: z.number(),
      changed_bytes: z.number(),
      /** Messages and titles, and how many have vectors of which model. */
      texts: z.number(),
      vectors: z.array(z.object({ model: z.string(), texts: z.number() })),
    }),
    /** How the collections of documentation stand that can be seen from here. */
    collections: z.array(collectionState),
    disk: z.object({ archive: z.number(), index: z.number() }),
    malformed: z.array(z.object({ source: z.string(), path: z.string(), malformed: z.number() })),
    problems: z.array(problem),
    fixed: z.array(z.string()),
  }),
  readOnly: false,
  idempotent: true,
  fresh: false,
  run: async (dex, input) => {
    const before = findProblems(dex);
    const fixed = input.fix ? await fix(dex, before) : [];
    const problems = input.fix ? findProblems(dex) : before;
    const usable = !problems.some(({ what }) => what.includes("damaged"));
    const { collections, problems: ofCollections } = await collectionStates(dex);
    return { ...report(dex, usable), collections, problems: [...problems, ...ofCollections], fixed };
  },
});

function report(dex: Dex, usable: boolean) {
  const store = usable ? dex.store : undefined;
  const totals = store?.totals();
  const env = store && sourceEnv(dex.syncContext, store);
  const coverage = store?.vectorCoverage();
  const lastSync = store?.getValue("last_sync");
  const fresh = store ? checkFreshness(dex.syncContext, store) : { changed: 0, bytes: 0 };
  const agents = SOURCES.map((source) => {
    const containers = env ? source.discover(env) : [];
    const places = env ? source.places(env).map(({ path }) => path) : [];
    return {
      source: source.id,
      name: source.name,
      found: containers.length > 0,
      places: places.filter((path) => existsSync(path)).map(storedPath),
      files: containers.length,
      bytes: containers.reduce((sum, { bytes }) => sum + bytes, 0),
      conversations: totals?.sources[source.id] ?? 0,
    };
  });
  return {
    version: VERSION,
    node: process.version,
    home: dex.paths.home,
    agents,
    connections: connectionStates(dex),
    index: {
      state: usable ? dex.indexState : "damaged",
      conversations: totals?.conversations ?? 0,
      last_sync: lastSync === undefined ? null : new Date(Number(lastSync)).toISOString(),
      changed_files: fresh.changed,
      changed_bytes: fresh.bytes,
      texts: coverage?.all ?? 0,
      vectors: coverage?.models.map(({ model, covered }) => ({ model: model.name, texts: covered })) ?? [],
    },
    disk: { archive: folderBytes(dex.paths.archive), index: fileBytes(dex.paths.index) },
    malformed: store?.malformed() ?? [],
  };
}

const REPAIR = "dex doctor --fix";

function findProblems(dex: Dex): Problem[] {
  const problems: Problem[] = [];
  const archived = listArchive(dex.paths.archive);
  try {
    dex.reopen();
    const { store } = dex;
    if (dex.indexState === "ready") {
      const answer = store.integrity();
      if (answer !== "ok") problems.push({ what: `The index is damaged: ${answer}`, fix: REPAIR });
      problems.push(...vectorProblems(dex));
      const differing = countDiffering(dex, archived);
      if (differing > 0) {
        problems.push({ what: `${plural(differing, "archive file")} and the index disagree.`, fix: REPAIR });
      }
    } else if (archived.length > 0) {
      const what = dex.indexState === "outdated" ? "The index is of another version." : "There is no index.";
      problems.push({
        what: `${what} ${plural(archived.length, "archived conversation")} can be indexed.`,
        fix: REPAIR,
      });
    }
    if (existsSync(dex.paths.running)) problems.push({ what: "The last sync was interrupted.", fix: REPAIR });
  } catch (error) {
    const corrupt = error instanceof DexError ? error.code === "corrupt_index" : isCorruption(error);
    if (!corrupt) throw error;
    problems.push({ what: `The index is damaged: ${dex.paths.index} cannot be opened.`, fix: REPAIR });
  }
  return problems;
}

/** Of the built-in model only: with another the missing ones are made in the background. */
function vectorProblems(dex: Dex): Problem[] {
  const { model: file } = dex.places;
  if (file === undefined) return [];
  const embedder = new StaticEmbedder(file);
  const { name } = embedder;
  embedder.close();
  const { all, models } = dex.store.vectorCoverage();
  const missing = all - (models.find(({ model }) => model.name === name)?.covered ?? 0);
  if (missing <= 0) return [];
  return [
    { what: `${plural(missing, "message")} of ${all} have no vectors of ${name}.`, fix: "dex reindex --vectors" },
  ];
}

function countDiffering(dex: Dex, archived: readonly string[]): number {
  const known = dex.store.archiveSizes();
  let differing = 0;
  for (const path of archived) {
    if (known.get(path)?.bytes !== archiveSize(dex.paths.archive, path)) differing += 1;
    known.delete(path);
  }
  return differing + known.size;
}

async function fix(dex: Dex, problems: readonly Problem[]): Promise<string[]> {
  dex.reopen();
  if (problems.some(({ what }) => what.includes("index"))) {
    const conversations = await rebuildIndex(dex.places, 30_000);
    if (conversations === undefined) throw busyError();
    return [
      `Built the index anew from the archive: ${plural(conversations, "conversation")}.`,
      ...(await catchUp(dex)),
    ];
  }
  const repaired = await withWriter({ places: dex.places, waitMs: 30_000, now: dex.now }, (writer) =>
    reconcile(writer, dex.places),
  );
  if (repaired === undefined) throw busyError();
  const done = repaired > 0 ? [`Brought ${plural(repaired, "conversation")} in order.`] : [];
  return [...done, ...(await catchUp(dex))];
}

/** What an interrupted sync or a damaged file lost is still with the agents. */
async function catchUp(dex: Dex): Promise<string[]> {
  dex.reopen();
  const totals = await dex.sync();
  if (!totals || totals.new + totals.updated === 0) return [];
  return [`Read again from the agents: ${totals.new} new, ${totals.updated} updated.`];
}

function folderBytes(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce(
    (sum, path) => sum + fileBytes(join(folder, path)),
    0,
  );
}

function fileBytes(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : 0;
}
