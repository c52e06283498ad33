/** Compares the rankings of two rows. */
import * as z from "zod";
import { defined } from "../kernel/defined.ts";
import type { Trace } from "./trace.ts";

/** Ranks count from 1; null means absent. */
export const rankChange = z.object({
  id: z.string(),
  change: z.enum(["same", "moved", "new", "gone"]),
  before: z.number().nullable(),
  after: z.number().nullable(),
  score_before: z.number().optional(),
  score_after: z.number().optional(),
  summary: z.string().optional(),
});

type RankChange = z.output<typeof rankChange>;
type Ranked = Trace["ranking"][number] & { rank: number };

/** In the order of the new ranking, with removed results last. A truncated earlier row is compared as far as it goes. */
export function compareRankings(before: Trace, now: Trace): RankChange[] {
  const cut = before.partial?.includes("ranking") ? before.ranking.length : Number.POSITIVE_INFINITY;
  const old = byKey(before.ranking);
  const current = byKey(now.ranking.slice(0, cut));
  const changes = [...current].map(([key, hit]) => describe(old.get(key), hit));
  const gone = [...old].filter(([key]) => !current.has(key)).map(([, hit]) => describe(hit, undefined));
  return [...changes, ...gone];
}

/** A conversation may be in a ranking several times: its first, second, … results are compared. */
function byKey(ranking: Trace["ranking"]): Map<string, Ranked> {
  const ranked = new Map<string, Ranked>();
  const seen = new Map<string, number>();
  for (const [i, hit] of ranking.entries()) {
    const name = `${hit.source ?? ""}:${hit.id}`;
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    ranked.set(`${name} ${times}`, { ...hit, rank: i + 1 });
  }
  return ranked;
}

function describe(before: Ranked | undefined, after: Ranked | undefined): RankChange {
  return defined({
    id: after?.id ?? before?.id ?? "",
    change: !before ? "new" : !after ? "gone" : before.rank === after.rank ? "same" : "moved",
    before: before?.rank ?? null,
    after: after?.rank ?? null,
    score_before: before?.score,
    score_after: after?.score,
    summary: after?.summary ?? before?.summary,
  });
}
