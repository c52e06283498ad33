/** The caller of a search: its project, and the conversation that it is in. */
import type { Dex } from "../dex.ts";
import { foldersWithCopies } from "../history/copies/stored.ts";
import { type Repository, repositoryOrFolder } from "../history/repository.ts";
import { currentSession } from "../integrations/session.ts";
import type { Caller } from "../ranking/query.ts";
import type { RunContext } from "../run_context.ts";

/** The conversation of a calling agent was written at most this long ago. */
const MAX_RUNNING_AGE_MS = 5 * 60_000;

export function callerOf(dex: Dex, context: RunContext): Caller {
  const repository = repositoryOf(dex);
  const own = ownConversation(dex, context, repository?.roots ?? []);
  return {
    roots: repository ? foldersWithCopies(repository, dex) : [],
    projectBoost: dex.settings.search.projectBoost,
    own,
  };
}

/** Looked up once per opened application: in a repository with many working trees, this takes longer than a search. */
const REPOSITORIES = new WeakMap<Dex, Repository | null>();

/** Undefined outside a project. */
function repositoryOf(dex: Dex): Repository | undefined {
  const known = REPOSITORIES.get(dex);
  if (known !== undefined) return known ?? undefined;
  const found = repositoryOrFolder(dex.cwd);
  REPOSITORIES.set(dex, found.isProject ? found : null);
  return found.isProject ? found : undefined;
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
