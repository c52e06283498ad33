/** `dex refresh`: updates everything indexed about one project. */
import { existsSync } from "node:fs";
import * as z from "zod";
import { indexProject } from "../../code/indexing/indexer.ts";
import { findCodeProject } from "../../code/project.ts";
import { declaredCollections } from "../../collections/declaring/declared.ts";
import { syncCollections } from "../../collections/service.ts";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { acquireLock } from "../../kernel/lock.ts";
import { codeGraph } from "../../project/code.ts";
import { refreshPlaces, stampRefresh } from "../../project/refresh.ts";
import { repositoryOf, withRepository } from "../../project/repository.ts";
import { prepareTeam } from "../../search/with_team.ts";
import { prepareNeighbours } from "../../suggest/files/prepare_neighbours.ts";
import { prepareShifts } from "../../suggest/replay/prepare_shifts.ts";
import { computeFindings } from "../../suggest/view/findings.ts";
import { progressText } from "../../sync/totals.ts";
import { hasTeam } from "../../team/joined.ts";
import { defineOperation, type OperationContext } from "../operation.ts";

const LOCK_TIMEOUT_MS = 60_000;

export const refresh = defineOperation({
  name: "dex_refresh",
  verb: "refresh",
  summary: "Update everything indexed about a project: conversations, git history, code, documents, decisions, tests",
  positionals: ["folder"],
  input: z.strictObject({
    folder: z.string().max(4096).optional().describe("A folder of the project (default: the current one)"),
  }),
  output: z.object({
    project: z.string(),
    /** Null when another process was syncing them. */
    conversations: z.object({ new: z.number(), updated: z.number() }).nullable(),
    commits: z.number(),
    /** Null when the project is not a git repository and its code was never indexed. */
    code: z.object({ files: z.number(), added: z.number(), changed: z.number(), removed: z.number() }).nullable(),
    /** The project's own documents; null outside a git repository, or if `docs.project` is off. */
    documents: z.number().nullable(),
    decisions: z.number(),
    ms: z.number(),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  web: true,
  projectFields: ["folder"],
  run: async (dex, input, context) => {
    const begin = performance.now();
    const { repository, folder } = repositoryOf(dex, input.folder);
    const places = refreshPlaces(dex.paths, folder);
    const lock = acquireLock(places.lock, 0);
    if (!lock) {
      throw new DexError("busy", `Another dex process is refreshing ${repository.root}.`, {
        hint: "Try again when it has finished.",
      });
    }
    try {
      stampRefresh(places);
      const synced = await dex.sync({
        progress: (at) => context.progress?.(at.bytes, at.totalBytes, progressText(at)),
      });
      const unheard = await prepareTeam(dex, folder);
      if (unheard !== undefined) context.notice?.(unheard);
      const code = await refreshCode(dex, repository.root, context);
      const documents = await refreshDocuments(dex, folder, context);
      const totals = await withRepository(dex, folder, context, async (open) => {
        const graph = await codeGraph(dex, open.repository, context);
        const { decisions } = await computeFindings(dex, open, graph, context);
        await prepareNeighbours(dex, open, graph);
        await prepareShifts(dex, open, graph, context);
        return { commits: open.history.commitCount(), decisions: decisions.length };
      });
      if (hasTeam(dex.paths.team)) {
        const unpushed = await (await import("../../project/team/push.ts")).pushAfterUpdate(dex);
        if (unpushed !== undefined) context.notice?.(unpushed);
      }
      return {
        project: repository.root,
        conversations: synced ? { new: synced.new, updated: synced.updated } : null,
        code,
        documents,
        ...totals,
        ms: Math.round(performance.now() - begin),
      };
    } finally {
      lock.release();
    }
  },
});

interface CodeTotals {
  files: number;
  added: number;
  changed: number;
  removed: number;
}

/** A folder without git may be anything, even a home folder, so its code is read only if it was indexed before. */
async function refreshCode(dex: Dex, root: string, { progress }: OperationContext): Promise<CodeTotals | null> {
  const project = findCodeProject(dex.paths.code, root);
  if (!project.git && !existsSync(project.path)) return null;
  const done = await indexProject(project, { now: dex.now(), rebuild: false, waitMs: LOCK_TIMEOUT_MS, progress });
  if (!done) return null;
  const { totals, added, changed, removed } = done;
  return { files: totals.files, added, changed, removed };
}

async function refreshDocuments(dex: Dex, cwd: string, context: OperationContext): Promise<number | null> {
  const { paths, settings, vars, now } = dex;
  const own = (await declaredCollections({ paths, settings, vars, now, cwd })).filter(({ implicit }) => implicit);
  if (own.length === 0) return null;
  const [outcome] = (await syncCollections(dex, own, { progress: context.progress })) ?? [];
  if (outcome?.error) context.notice?.(`The documents could not be read: ${outcome.error.message}`);
  if (!outcome?.report) return null;
  const { added, changed, unchanged } = outcome.report;
  return added + changed + unchanged;
}
