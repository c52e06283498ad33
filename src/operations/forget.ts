import * as z from "zod";
import { forgetRuns } from "../agent/workflows/state.ts";
import { forgetInHistories, ownerOf } from "../history/scan.ts";
import { dropSummaries } from "../memory/summaries.ts";
import { removeArchived } from "../store/archive.ts";
import { StateStore } from "../store/sqlite/state.ts";
import { renewBackups } from "../store/state/backups.ts";
import { busyError, withWriter } from "../sync/sync.ts";
import { removeFromTraces } from "../traces/remove.ts";
import { defineOperation } from "./operation.ts";
import { resolveConversation } from "./resolve.ts";

export const forget = defineOperation({
  name: "dex_forget",
  verb: "forget",
  summary: "Remove conversations from archive and index for good; sync does not bring them back",
  positionals: ["ids"],
  input: z.strictObject({
    ids: z
      .array(z.string())
      .min(1, "needs at least one id")
      .max(10_000)
      .describe("Conversation ids or unique prefixes"),
  }),
  output: z.object({ forgotten: z.array(z.object({ id: z.string(), source: z.string(), title: z.string() })) }),
  readOnly: false,
  idempotent: true,
  fresh: false,
  run: async (dex, input) => {
    const rows = input.ids.map((id) => resolveConversation(dex, id));
    const done = await withWriter({ places: dex.places, waitMs: 30_000, now: dex.now }, (writer) => {
      // The tombstone first: a kill in between must not let the next sync bring it back.
      const state = new StateStore(dex.paths.state);
      try {
        for (const row of rows) {
          state.forget(row.source, row.id, dex.now());
          state.suggestions.forget(row.source, row.id);
        }
        state.memory.forgetPlaces(rows.map(({ id }) => id));
      } finally {
        state.close();
      }
      for (const row of rows) {
        removeArchived(dex.paths.archive, row.archive);
        writer.remove(row.no);
      }
      writer.purge();
      return true;
    });
    if (!done) throw busyError();
    // Copies of state.db hold the text of pins and suggestions: all are replaced by one of state.db as it is now.
    renewBackups(dex.paths.state, dex.now());
    const ids = rows.map(({ id }) => id);
    removeFromTraces(dex.paths.traces, ids);
    forgetRuns(dex.paths.workflows, ids);
    const owners = new Set(rows.map(ownerOf));
    dropSummaries(dex.paths.summaries, (summary) => owners.has(ownerOf(summary)));
    forgetInHistories(dex.paths.history, [...owners]);
    dex.reopen();
    return { forgotten: rows.map(({ id, source, title }) => ({ id, source, title })) };
  },
});
