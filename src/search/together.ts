/** Runs a question over the conversations of this home and, if it has joined one, of its team. */
import type { Dex } from "../dex.ts";
import type { RunContext } from "../run_context.ts";
import { hasTeam } from "../team/joined.ts";
import type { TraceDetails } from "../traces/trace.ts";

/** `work` may run several times: it must only read. */
export async function together<T, Context extends RunContext>(
  dex: Dex,
  context: Context,
  work: (dex: Dex, context: Context) => Promise<T> | T,
): Promise<T> {
  // A home without a team loads nothing for teams.
  if (!hasTeam(dex.paths.team)) return work(dex, context);
  const { TeamFinding } = await import("../team/finding/together.ts");
  const finding = dex.caches.of(teamFinding);
  finding.open ??= new TeamFinding();
  const told = new Set<string>();
  let notices: string[] = [];
  let traces: TraceDetails[] = [];
  const result = await finding.open.ask({
    local: dex.store,
    places: { team: dex.paths.team, archive: dex.archive },
    roots: new Map(
      dex.hasState ? dex.withState(({ team }) => team.shares().map(({ scope, root }) => [scope, root])) : [],
    ),
    now: dex.now(),
    waitMs: dex.settings.team.waitMs,
    maxCacheBytes: dex.settings.team.cacheMb * 1_000_000,
    retryMs: dex.settings.team.retrySeconds * 1000,
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
