/** Updates the record of past work of a project: command runs, changes taken back, sessions. */
import type { Dex } from "../dex.ts";
import { pendingScan, runScan } from "../history/scan.ts";
import { storeDerived } from "../history/update.ts";
import { MAX_RUN_AGE_MS, MAX_UNDONE_AGE_MS } from "../history/work/ages.ts";
import { needsReverts, readReverts, WORK_KIND, workScan } from "../history/work/scan.ts";
import type { RunContext } from "../run_context.ts";
import { conversationLoader } from "./loading.ts";
import type { OpenRepository } from "./repository.ts";

export async function updateWork(dex: Dex, open: OpenRepository, context: RunContext): Promise<void> {
  const { repository, history } = open;
  const rows = open.links.conversations;
  const { changed, gone } = pendingScan(history, WORK_KIND, rows);
  if (changed.length + gone.length === 0 && !needsReverts(history)) return;
  const progress = (done: number, total: number): void => context.progress?.(done, total, "edits in conversations");
  await storeDerived(repository, dex.paths.history, (writer) => {
    if (needsReverts(writer)) readReverts(writer);
    runScan(writer, workScan(repository), rows, conversationLoader(dex), progress);
    writer.findOpposites();
    writer.removeWorkBefore(dex.now() - MAX_RUN_AGE_MS, dex.now() - MAX_UNDONE_AGE_MS);
    writer.commit();
  });
}
