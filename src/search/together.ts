/** Runs a question over the conversations of this home and, if it has joined one, of its team. */
import type { Dex } from "../dex.ts";
import { remotesOf } from "../history/copies/names.ts";
import { findRepository } from "../history/repository.ts";
import type { RunContext } from "../run_context.ts";
import { hasTeam } from "../team/joined.ts";
import type { TraceDetails } from "../traces/trace.ts";

/**
 * `work` may run several times: it must only read. `folder`: where the work is, if not here; conversations of the team
 * about the project of that folder then belong to it.
 */
export async function together<T, Context extends RunContext>(
  dex: Dex,
  context: Context,
  work: (dex: Dex, context: Context) => Promise<T> | T,
  folder: string = dex.cwd,
): Promise<T> {
  // A home without a team loads nothing for teams.
  if (!hasTeam(dex.paths.team)) return work(dex, context);
  const { finding, team } = await openFinding(dex);
  const told = new Set<string>();
  let notices: string[] = [];
  let traces: TraceDetails[] = [];
  const result = await team.ask({
    local: dex.store,
    ...contactOf(dex, folder),
    notice: (text) => void told.add(text),
    answer: async (joined) => {
      [notices, traces] = [[], []];
      const heard = {
        ...context,
        notice: (text: string) => void notices.push(text),
        trace: context.trace && ((details: TraceDetails) => void traces.push(details)),
      };
      return work(joined ? finding.over(dex, joined) : dex, heard);
    },
  });
  for (const details of traces) context.trace?.(details);
  for (const text of [...notices, ...told]) context.notice?.(text);
  return result;
}

/** The open team of this application. */
async function openFinding(dex: Dex) {
  const { TeamFinding } = await import("../team/finding/together.ts");
  const finding = dex.caches.of(teamFinding);
  finding.open ??= new TeamFinding();
  return { finding, team: finding.open };
}

function contactOf(dex: Dex, folder: string) {
  const { waitMs, cacheMb, retrySeconds } = dex.settings.team;
  return {
    places: { team: dex.paths.team, archive: dex.archive },
    roots: projectRoots(dex, folder),
    now: dex.now(),
    waitMs,
    maxCacheBytes: cacheMb * 1_000_000,
    retryMs: retrySeconds * 1000,
  };
}

/**
 * Fetches news of the team, with all words of the projects that this home has: hooks read only what is here. Returns a
 * sentence where the server could not be asked.
 */
export async function prepareTeam(dex: Dex, folder: string): Promise<string | undefined> {
  if (!hasTeam(dex.paths.team)) return undefined;
  return (await openFinding(dex)).team.prepare(contactOf(dex, folder));
}

/**
 * Where this home has projects of the team: those that it shares, and the repository of the folder by its remotes, which a
 * reader may have without sharing it.
 */
function projectRoots(dex: Dex, folder: string): Map<string, string> {
  const repository = findRepository(folder);
  const remotes = repository ? remotesOf(repository) : [];
  const shares = dex.hasState ? dex.withState(({ team }) => team.shares()) : [];
  return new Map([
    ...remotes.map((remote) => [remote, repository?.root ?? ""] as const),
    ...shares.map(({ scope, root }) => [scope, root] as const),
  ]);
}

/** Fetches what members saved and pushed since the last contact, before an answer that is not a search. */
export async function hearTeam(dex: Dex, context: RunContext): Promise<void> {
  await together(dex, context, () => undefined);
}

/** The open team of an application, kept between questions. */
class KeptFinding {
  open: import("../team/finding/together.ts").TeamFinding | undefined;
  readonly #over = new WeakMap<object, Dex>();

  /** The same application over this index: made once, because more is cached by it. */
  over(dex: Dex, index: Parameters<Dex["over"]>[0]): Dex {
    const known = this.#over.get(index) ?? dex.over(index);
    this.#over.set(index, known);
    return known;
  }

  close(): void {
    this.open?.close();
    this.open = undefined;
  }
}

function teamFinding(): KeptFinding {
  return new KeptFinding();
}
