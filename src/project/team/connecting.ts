/** The connection of a push. A command opens it before it looks for new history, because the server takes as long as that. */
import type { Dex } from "../../dex.ts";
import { loadDriver, openTeam, type Session } from "../../team/access.ts";

/** After this time without use, a server or a router may have closed the connection. */
const MAX_UNUSED_MS = 2000;

interface Opening {
  session: Promise<Session>;
  begun: number;
  cut: AbortController;
}

class EarlyConnection {
  opening: Opening | undefined;

  close(): void {
    this.opening?.cut.abort();
    this.opening = undefined;
  }
}

function earlyConnection(): EarlyConnection {
  return new EarlyConnection();
}

/** Waits only for the code of the driver. `takeConnection` reports a failure. */
export async function connectEarly(dex: Dex): Promise<void> {
  await loadDriver(dex.paths.team);
  const early = dex.caches.of(earlyConnection);
  early.opening ??= open(dex);
}

/** The connection that was opened early, or a new one. Abort `cut` to give it up. */
export function takeConnection(dex: Dex): Pick<Opening, "session" | "cut"> {
  const early = dex.caches.of(earlyConnection);
  const { opening } = early;
  if (opening && performance.now() - opening.begun > MAX_UNUSED_MS) early.close();
  else if (opening) {
    early.opening = undefined;
    return opening;
  }
  return open(dex);
}

function open(dex: Dex): Opening {
  const cut = new AbortController();
  const session = openTeam(dex.paths.team, { signal: cut.signal });
  // Prevents an unhandled rejection; the failure is reported where dex waits for the session.
  session.catch(() => {});
  return { session, begun: performance.now(), cut };
}
