/** Runs a question over the conversations of this home and, if it has joined one, of its team. */
import type { Dex } from "../dex.ts";
import { remotesOf } from "../history/copies/names.ts";
import { findRepository } from "../history/repository.ts";
import { DexError } from "../kernel/errors.ts";
import type { RunContext } from "../run_context.ts";
import { hasTeam } from "../team/joined.ts";
import type { TraceDetails } from "../traces/trace.ts";

/**
 * `work` may run several times, so it must only read. `folder`: the folder of the work, if not the current one. The
 * project of that folder includes the team's conversations about it.
 */
export async function withTeam<T, Context extends RunContext>(
  dex: Dex,
  context: Context,
  work: (dex: Dex, context: Context) => Promise<T> | T,
  folder: string = dex.cwd,
): Promise<T> {
  // Loads no code for teams unless the home has joined one.
  if (!hasTeam(dex.paths.team)) return work(dex, context);
  const { finding, team } = await openFinding(dex);
  const told = new Set<string>();
  let notices: string[] = [];
  let traces: TraceDetails[] = [];
  const asked = team.ask({
    local: dex.store,
    ...contactOf(dex, folder),
    notice: (text) => void told.add(text),
    answer: async (joined) => {
      [notices, traces] = [[], []];
      const collecting = {
        ...context,
        notice: (text: string) => void notices.push(text),
        trace: context.trace && ((details: TraceDetails) => void traces.push(details)),
      };
      return work(joined ? finding.withIndex(dex, joined) : dex, collecting);
    },
  });
  const result = await asked.catch((error: unknown) => {
    throw error instanceof DexError && error.code === "no_team" ? withReasons(error, told) : error;
  });
  for (const details of traces) context.trace?.(details);
  for (const text of [...notices, ...told]) context.notice?.(text);
  return result;
}

/** Says why the team could not be asked. */
function withReasons({ code, message, hint }: DexError, reasons: ReadonlySet<string>): DexError {
  return new DexError(code, [message, ...reasons].join(" "), hint === undefined ? {} : { hint });
}

/** The open team of this application. */
async function openFinding(dex: Dex) {
  const { TeamFinding } = await import("../team/finding/team_finding.ts");
  const finding = dex.caches.of(teamFinding);
  finding.open ??= new TeamFinding();
  return { finding, team: finding.open };
}

function contactOf(dex: Dex, folder: string) {
  const { waitMs, cacheMb, retrySeconds } = dex.settings.team;
  return {
    places: { team: dex.paths.team, archive: dex.paths.archive },
    roots: projectRoots(dex, folder),
    now: dex.now(),
    waitMs,
    maxCacheBytes: cacheMb * 1_000_000,
    retryMs: retrySeconds * 1000,
  };
}

/**
 * Fetches new data of the team, including all words of the projects that this home has, because hooks read only the
 * cache. Returns a message if the server could not be reached.
 */
export async function prepareTeam(dex: Dex, folder: string): Promise<string | undefined> {
  if (!hasTeam(dex.paths.team)) return undefined;
  return (await openFinding(dex)).team.prepare(contactOf(dex, folder));
}

/**
 * The local folders of the team's projects: those that this home shares, and the repository of `folder`, recognised by
 * its remotes, because a reader may have a clone without sharing it.
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

/** Fetches new notes and conversations of the team before an answer that is not a search. */
export async function fetchTeamNews(dex: Dex, context: RunContext): Promise<void> {
  await withTeam(dex, context, () => undefined);
}

/** The open team of an application, kept between questions. */
class OpenTeam {
  open: import("../team/finding/team_finding.ts").TeamFinding | undefined;
  readonly #byIndex = new WeakMap<object, Dex>();

  /** The same application over this index. Created once per index, because other caches use it as their key. */
  withIndex(dex: Dex, index: Parameters<Dex["withIndex"]>[0]): Dex {
    const known = this.#byIndex.get(index) ?? dex.withIndex(index);
    this.#byIndex.set(index, known);
    return known;
  }

  close(): void {
    this.open?.close();
    this.open = undefined;
  }
}

function teamFinding(): OpenTeam {
  return new OpenTeam();
}
