/** The queries of each set, and the scoring of its answers. */
import { join } from "node:path";
import { openCorpus } from "../lib/corpus.ts";
import { type PublicSet, type Query, readPublicSet, readSessions } from "./data.ts";
import { type Configuration, type Figure, figureOf, type Ranked } from "./figures.ts";
import { conversationOf, projectOf, QualityHome } from "./home.ts";
import { hitAt, ndcgAt, recallAt, reciprocalRankAt } from "./metrics.ts";
import { sampleOf } from "./sample.ts";
import { foldToParents, TOLD } from "./sessions.ts";

export interface Scored {
  figures: Figure[];
  /** The size of the set, for the reader of the figures. */
  size: string;
}

/** Undefined if the set is not next to this checkout. */
type Scorer = (measurement: Measurement) => Promise<Scored | undefined>;

export interface Measurement {
  configurations: readonly Configuration[];
  /** A folder for the homes. */
  temp: string;
  /** The folder with the packages of MiniLM, if one of the configurations needs it. */
  packages: string | undefined;
  /** Only a part of each set. */
  sample: boolean;
}

const CUT = 10;

export const SETS: Readonly<Record<string, Scorer>> = { locomo, beam, cosqa, scifact, sessions };

async function locomo(measurement: Measurement): Promise<Scored | undefined> {
  const { configurations } = measurement;
  const set = readSet("locomo", measurement);
  if (!set) return undefined;
  const sessionOf = new Map(set.items.map(({ id, session }) => [id, conversationOf(session)]));
  return withHome("locomo", measurement, async (home, embed) => {
    await home.import(set.items);
    await embed();
    const turns = await rankAll(set.queries, configurations, (query, configuration) =>
      home.messages(query.query, configuration, CUT, projectOf(query.conversation)),
    );
    const bySession = set.queries.map((query) => ({
      ...query,
      gold: query.gold.map((id) => sessionOf.get(id) ?? id),
    }));
    const found = await rankAll(bySession, configurations, (query, configuration) =>
      home.conversations(query.query, configuration, CUT, projectOf(query.conversation)),
    );
    return {
      figures: [
        figureOf("LoCoMo", "turns, nDCG@10, mean over categories", turns, ndcgAt(CUT), { macro: true }),
        figureOf("LoCoMo", "sessions, R@5", found, recallAt(5)),
        figureOf("LoCoMo", "sessions, R@10", found, recallAt(CUT)),
      ],
      size: `LoCoMo ${count(set.items)} turns in ${count(new Set(sessionOf.values()))} sessions`,
    };
  });
}

async function beam(measurement: Measurement): Promise<Scored | undefined> {
  const { configurations } = measurement;
  const set = readSet("beam", measurement);
  if (!set) return undefined;
  return withHome("beam", measurement, async (home, embed) => {
    await home.import(set.items);
    await embed();
    const all = await rankAll(set.queries, configurations, (query, configuration) =>
      home.messages(query.query, configuration, CUT, projectOf(query.conversation)),
    );
    const coding = all.filter(({ group }) => group.startsWith("coding"));
    return {
      figures: [
        figureOf("BEAM", "messages, R@10", all, recallAt(CUT)),
        figureOf("BEAM", "messages, hit@10", all, hitAt(CUT)),
        figureOf("BEAM, coding", "messages, R@10", coding, recallAt(CUT)),
        figureOf("BEAM, coding", "messages, hit@10", coding, hitAt(CUT)),
      ],
      size: `BEAM ${count(set.items)} messages`,
    };
  });
}

function cosqa(measurement: Measurement): Promise<Scored | undefined> {
  return documents("cosqa", measurement, (ranked, passages, items) => ({
    figures: [
      figureOf("CoSQA", "functions, MRR@10", ranked, reciprocalRankAt(CUT)),
      figureOf("CoSQA, documents", "functions, MRR@10", passages, reciprocalRankAt(CUT)),
    ],
    size: `CoSQA ${items} functions`,
  }));
}

function scifact(measurement: Measurement): Promise<Scored | undefined> {
  return documents("scifact", measurement, (ranked, passages, items) => ({
    figures: [
      figureOf("SciFact", "abstracts, nDCG@10", ranked, ndcgAt(CUT)),
      figureOf("SciFact, documents", "abstracts, nDCG@10", passages, ndcgAt(CUT)),
    ],
    size: `SciFact ${items} abstracts`,
  }));
}

/** The same texts twice: as conversations of one message, and as files of a collection. */
async function documents(
  name: string,
  measurement: Measurement,
  score: (ranked: Ranked[], passages: Ranked[], items: string) => Scored,
): Promise<Scored | undefined> {
  const { configurations } = measurement;
  const set = readSet(name, measurement);
  if (!set) return undefined;
  return withHome(name, measurement, async (home, embed) => {
    await home.import(set.items);
    await embed();
    const ranked = await rankAll(set.queries, configurations, (query, configuration) =>
      home.conversations(query.query, configuration, CUT),
    );
    await home.collect(set.items);
    await embed();
    const passages = await rankAll(set.queries, configurations, (query, configuration) =>
      home.passages(query.query, configuration, CUT),
    );
    return score(ranked, passages, count(set.items));
  });
}

async function sessions(measurement: Measurement): Promise<Scored | undefined> {
  const { configurations, temp } = measurement;
  const set = readSessions();
  if (!set) return undefined;
  const corpus = await openCorpus(undefined, temp, false);
  return withHome("sessions", measurement, async (home, embed) => {
    await home.sync(corpus.home);
    await embed();
    const all = home.dex.store.ids().map(({ id }) => id);
    const fold = (ids: readonly string[]): string[] => foldToParents(ids, set.parents);
    const queries = set.queries.map((query) => ({ ...query, gold: fold(query.gold) }));
    // Enough results to include ten different conversations, however many subagents precede them.
    const enough = CUT + all.length - fold(all).length;
    const ranked = await rankAll(queries, configurations, async (query, configuration) =>
      fold(await home.conversations(query.query, configuration, enough)),
    );
    const kinds = [...new Set(ranked.map(({ group }) => group))];
    const rows: [string, Ranked[]][] = kinds.map((kind) => [kind, ranked.filter(({ group }) => group === kind)]);
    rows.push([TOLD.join(" + "), ranked.filter(({ group }) => TOLD.includes(group))]);
    return {
      figures: rows.flatMap(([kind, some]) => [
        figureOf(`sessions, ${kind}`, "hit@1", some, hitAt(1)),
        figureOf(`sessions, ${kind}`, "hit@5", some, hitAt(5)),
        figureOf(`sessions, ${kind}`, "MRR@10", some, reciprocalRankAt(CUT)),
      ]),
      size: `sessions ${count(all)} conversations`,
    };
  });
}

function readSet(name: string, { sample }: Measurement): PublicSet | undefined {
  const set = readPublicSet(name);
  return set && sample ? sampleOf(name, set) : set;
}

/** `embed`: with MiniLM, if a configuration needs that. */
async function withHome<T>(
  name: string,
  { temp, packages }: Measurement,
  work: (home: QualityHome, embed: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const home = await QualityHome.open(join(temp, name));
  try {
    return await work(home, async () => {
      if (packages !== undefined) await home.embed(packages);
    });
  } finally {
    home.close();
  }
}

async function rankAll(
  queries: readonly Query[],
  configurations: readonly Configuration[],
  rank: (query: Query, configuration: Configuration) => string[] | Promise<string[]>,
): Promise<Ranked[]> {
  const ranked: Ranked[] = [];
  for (const query of queries) {
    const lists: string[][] = [];
    for (const configuration of configurations) lists.push(await rank(query, configuration));
    ranked.push({ group: query.group, gold: new Set(query.gold), lists });
  }
  return ranked;
}

function count(things: { length: number } | { size: number }): string {
  return ("length" in things ? things.length : things.size).toLocaleString("en");
}
