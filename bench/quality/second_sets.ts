/** The sets on which the weights of the second model are fitted, with dex's own search over them. */
import { join } from "node:path";
import type { Dex } from "../../src/dex.ts";
import type { TermQuery } from "../../src/ranking/query.ts";
import { openCorpus } from "../lib/corpus.ts";
import { type PublicSet, readPublicSet, readSessions } from "./data.ts";
import { conversationOf, projectOf, QualityHome } from "./home.ts";
import { type Metric, ndcgAt, recallAt, reciprocalRankAt } from "./metrics.ts";
import { sampleOf } from "./sample.ts";
import { foldToParents, TOLD } from "./sessions.ts";

export interface Measured {
  name: string;
  /** Whether conversations are ranked, or single messages or passages. */
  kind: "conversations" | "texts";
  queries: readonly { query: string; gold: readonly string[]; project?: string }[];
  dex: Dex;
  /** The metric of the list that dex ranks for the query. */
  value(asked: TermQuery, gold: ReadonlySet<string>, project?: string): Promise<number> | number;
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
  await use({
    name: `sessions, ${TOLD.join(" + ")}, MRR@10`,
    kind: "conversations",
    queries: set.queries
      .filter(({ group }) => TOLD.includes(group))
      .map(({ query, gold }) => ({ query, gold: foldToParents(gold, set.parents) })),
    dex,
    value: conversations(dex, reciprocalRankAt(CUT), (ids) => foldToParents(ids, set.parents)),
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
  const texts = (measure: string, metric: Metric): Measured => ({
    name: measure,
    kind: "texts",
    queries,
    dex,
    value: (asked, gold, project) => metric(home.messageIds(asked, CUT, project ?? "", dex), gold),
  });
  if (name === "beam") return [texts("BEAM, messages, R@10", recallAt(CUT))];
  if (name === "locomo") {
    const sessionOf = new Map(set.items.map(({ id, session }) => [id, conversationOf(session)]));
    const bySession = queries.map((each) => ({ ...each, gold: each.gold.map((id) => sessionOf.get(id) ?? id) }));
    return [
      texts("LoCoMo, turns, nDCG@10", ndcgAt(CUT)),
      {
        name: "LoCoMo, sessions, R@5",
        kind: "conversations",
        queries: bySession,
        dex,
        value: conversations(dex, recallAt(5)),
      },
    ];
  }
  const [label, metric] =
    name === "cosqa" ? ["CoSQA, MRR@10", reciprocalRankAt(CUT)] : ["SciFact, nDCG@10", ndcgAt(CUT)];
  return [
    { name: label, kind: "conversations", queries, dex, value: conversations(dex, metric) },
    {
      name: `${label}, documents`,
      kind: "texts",
      queries,
      dex,
      value: async (asked, gold) => metric(await home.passageIds(asked, CUT, dex), gold),
    },
  ];
}

function conversations(dex: Dex, metric: Metric, fold = (ids: string[]): string[] => ids): Measured["value"] {
  return (asked, gold, project) => {
    const { hits } = dex.store.searchTexts(asked, project === undefined ? {} : { project }, CANDIDATES, 0);
    return metric(fold(hits.map(({ no }) => dex.store.byNo(no)?.id ?? "")), gold);
  };
}
