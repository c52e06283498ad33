/** Brings the team's index up to date with what this member pushed: at once where that is little, else in a process of its own. */
import { join } from "node:path";
import { spawnDetached } from "../../config/detached.ts";
import type { Dex } from "../../dex.ts";
import { ensureFolder } from "../../kernel/files/atomic_write.ts";
import { acquireLock } from "../../kernel/lock.ts";
import type { Session } from "../../team/access.ts";
import type { Indexed } from "../../team/indexing/bucket.ts";

/** Pushed bytes that are indexed while a person waits: about a second of work. */
const MAX_BYTES_AT_ONCE = 1 << 20;

/** How the index stands after a push: up to date as far as this machine may write it, or being updated. */
export type IndexState = "current" | "background";

/** Indexes what this member pushed, from any machine. `wait`: even if it is much. */
export async function indexPushed(dex: Dex, session: Session, wait: boolean): Promise<IndexState> {
  const backlog = await session.link.call("bucketsToIndex");
  if (backlog.length === 0) return "current";
  const bytes = backlog.reduce((sum, row) => sum + Number(row.bytes), 0);
  if (!wait && bytes > MAX_BYTES_AT_ONCE) {
    spawnDetached(["team", "index", "--json"], { cwd: dex.paths.home, vars: dex.vars });
    return "background";
  }
  return (await indexNow(dex, session)) ? "current" : "background";
}

/** Undefined: another process of this machine is indexing, and also indexes what this one would. */
export async function indexNow(dex: Dex, { link }: Session): Promise<Indexed | undefined> {
  const { indexShared } = await import("../../team/indexing/shared.ts");
  const done: Indexed = { conversations: 0, messages: 0, merges: 0 };
  ensureFolder(dex.paths.team);
  for (;;) {
    const lock = acquireLock(join(dex.paths.team, "index.lock"), 0);
    if (!lock) return undefined;
    try {
      const places = { team: dex.paths.team, archive: dex.paths.archive };
      const indexed = await indexShared({ link, places, model: dex.places.model, now: dex.now });
      done.conversations += indexed.conversations;
      done.messages += indexed.messages;
      done.merges += indexed.merges;
      // Another machine has the right to write what is left.
      if (indexed.conversations + indexed.merges === 0) return done;
    } finally {
      lock.release();
    }
    // Checks again, because processes that found the lock taken rely on this one.
    if ((await link.call("bucketsToIndex")).length === 0) return done;
  }
}
