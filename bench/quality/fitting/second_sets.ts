/** The sets on which the weights of the second model are fitted, with dex's own search over them. */
import { join } from "node:path";
import type { Dex } from "../../../src/dex.ts";
import type { TermQuery } from "../../../src/ranking/query.ts";
import { openCorpus } from "../../lib/corpus.ts";
import { type PublicSet, readPublicSet, readSessions } from "../data.ts";
import { conversationOf, projectOf, QualityHome } from "../home.ts";
import { hitAt, type Metric, ndcgAt, recallAt, reciprocalRankAt } from "../metrics.ts";
import { sampleOf } from "../sample.ts";
import { foldToParents, TOLD } from "../sessions.ts";

export interface Measured {
  set: string;
  /** Whether conversations are ranked, or single messages or passages. */
  kind: "conversations" | "texts";
  metrics: Readonly<Record<string, Metric>>;
  queries: readonly { query: string; gold: readonly string[]; project?: string }[];
  dex: Dex;
  rank(asked: TermQuery, project?: string): Promise<string[]> | string[];
}

const CUT = 10;
/** Enough to include ten different conversations, however many subagents precede them. */
const CANDIDATES = 60;

/** Calls `use` with each set that is next to this checkout. */
export async function eachSecondSet(
  { packages, temp, sample }: { packages: string; temp: string; sample: boolean },
  use: (measured: Measured) => Promise<void>,
): Promise<void> {
  for (const name of ["locomo", "beam", "cosqa", "scifact"]) {
    const whole = readPublicSet(name);
    if (!whole) continue;
    const set = sample ? sampleOf(name, whole) : whole;
    const home = await QualityHome.open(join(temp, name));
    await home.import(set.items);
    if (name === "cosqa" || name === "scifact") await home.collect(set.items);
    await home.embed(packages);
    for (const measured of measuredIn(name, set, home)) await use(measured);
    home.close();
  }
  const set = readSessions();
  if (!set) return;
  const home = await QualityHome.open(join(temp, "sessions"));
  await home.sync((await openCorpus(undefined, temp, false)).home);
  await home.embed(packages);
  const dex = home.dexFor("minilm");
  const told = set.queries.filter(({ group }) => TOLD.includes(group));
  await use({
    set: "sessions",
    kind: "conversations",
    metrics: { "hit@1": hitAt(1), "hit@5": hitAt(5), "MRR@10": reciprocalRankAt(CUT) },
    queries: told.map(({ query, gold }) => ({ query, gold: foldToParents(gold, set.parents) })),
    dex,
    rank: conversations(dex, (ids) => foldToParents(ids, set.parents)),
  });
  home.close();
}

function measuredIn(name: string, set: PublicSet, home: QualityHome): Measured[] {
  const dex = home.dexFor("minilm");
  const queries = set.queries.map(({ query, gold, conversation }) => ({
    query,
    gold,
    ...(conversation === "" ? {} : { project: projectOf(conversation) }),
  }));
  const messages = (metrics: Measured["metrics"]): Measured => ({
    set: name,
    kind: "texts",
    metrics,
    queries,
    dex,
    rank: (asked, project = "") => home.messageIds(asked, CUT, project, dex),
  });
  const whole = (metrics: Measured["metrics"], asked = queries): Measured => ({
    set: name,
    kind: "conversations",
    metrics,
    queries: asked,
    dex,
    rank: conversations(dex),
  });
  if (name === "beam") return [messages({ "R@10": recallAt(CUT), "hit@10": hitAt(CUT) })];
  if (name === "locomo") {
    const sessionOf = new Map(set.items.map(({ id, session }) => [id, conversationOf(session)]));
    const bySession = queries.map((each) => ({ ...each, gold: each.gold.map((id) => sessionOf.get(id) ?? id) }));
    return [messages({ "nDCG@10": ndcgAt(CUT) }), whole({ "R@5": recallAt(5) }, bySession)];
  }
  const metrics: Measured["metrics"] =
    name === "cosqa" ? { "MRR@10": reciprocalRankAt(CUT) } : { "nDCG@10": ndcgAt(CUT) };
  const passages: Measured = { ...messages(metrics), rank: (asked) => home.passageIds(asked, CUT, dex) };
  return [whole(metrics), passages];
}

function conversations(dex: Dex, fold = (ids: string[]): string[] => ids): Measured["rank"] {
  return (asked, project) => {
    const { hits } = dex.store.searchTexts(asked, project === undefined ? {} : { project }, CANDIDATES, 0);
    return fold(hits.map(({ no }) => dex.store.byNo(no)?.id ?? ""));
  };
}
