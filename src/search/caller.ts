/** The caller of a search: its project, and the conversation that it is in. */
import type { Dex } from "../dex.ts";
import { repositoryOrFolder } from "../history/repository.ts";
import { currentSession } from "../integrations/session.ts";
import type { Caller } from "../ranking/query.ts";
import type { RunContext } from "../run_context.ts";

/** The conversation of a calling agent was written at most this long ago. */
const MAX_RUNNING_AGE_MS = 5 * 60_000;

export function callerOf(dex: Dex, context: RunContext): Caller {
  const roots = rootsOf(dex);
  return { roots, projectBoost: dex.settings.search.projectBoost, own: ownConversation(dex, context, roots) };
}

/** Looked up once per opened application: in a repository with many working trees, this takes longer than a search. */
const KNOWN_ROOTS = new WeakMap<Dex, readonly string[]>();

function rootsOf(dex: Dex): readonly string[] {
  const known = KNOWN_ROOTS.get(dex);
  if (known) return known;
  const { isProject, roots } = repositoryOrFolder(dex.cwd);
  const found = isProject ? roots : [];
  KNOWN_ROOTS.set(dex, found);
  return found;
}

/**
 * The session that the agent's environment variables name. Without them, as is common for clients of a server, it is
 * the only conversation of the project that was written just now; if there are several, it is unknown.
 */
function ownConversation(dex: Dex, context: RunContext, roots: readonly string[]): number | undefined {
  const id = currentSession(dex.vars);
  if (id !== undefined) {
    const [row, other] = dex.store.byPrefix(id, undefined, 2);
    return other === undefined && row?.id === id ? row.no : undefined;
  }
  if (!context.agent) return undefined;
  const from = dex.now() - MAX_RUNNING_AGE_MS;
  const running = dex.store.list({ below: roots, from, subagents: false, abandoned: false }, 2, 0);
  return running.length === 1 ? running[0]?.no : undefined;
}
