/**
 * Measures file suggestions by replaying histories and real sessions, with knowledge of the past only.
 * docs/internals/quality.md explains the figures.
 *
 *   npm run bench:suggest -- [--keep <folder>] [--write] [--asks <history>[:releases] …] [<history>[:releases] …]
 *
 * Histories and projects are dealt into three folds, and each fold is ranked by weights fitted on the other two, so that
 * no data is measured with weights learnt from it. --asks names a history that only serves as a source of prompts.
 * --write updates the tables in docs/internals/quality.md.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PROMPT_FEATURE_NAMES } from "../../src/suggest/files/prompt.ts";
import { chanceAt } from "../../src/suggest/scale.ts";
import { writeBetweenMarkers } from "../lib/table.ts";
import { heldOut } from "./asked.ts";
import { type Figures, figuresOf, hit, interval, pushedPart, type Ranked, rank, reliability } from "./measure.ts";
import { bent, fitBend, fitPrompts, foldedScores, promptScore } from "./model.ts";
import { type Asked, type Candidate, historyOf, OTHERS, type Other } from "./rows.ts";
import { loadSets } from "./sets.ts";

const { values, positionals } = parseArgs({
  options: { keep: { type: "string" }, write: { type: "boolean" }, asks: { type: "string", multiple: true } },
  allowPositionals: true,
});
const { histories, sessions, prompts, subjects, past, latest } = await loadSets(
  positionals,
  values.asks ?? [],
  values.keep,
);

type Way = readonly [name: string, rankings: Ranked[]];
type Sets = ReadonlyMap<string, readonly Asked[]>;
const RANKER = "`dex code related`";
/** The graph alone gives no probability; the others' scores are shares, and serve as one. */
const UNSURE = new Set<Other>(["import graph alone"]);

/** Histories and projects are dealt into this many folds; each fold is ranked by the fit on the others. */
const FOLDS = 3;
const folded = foldedScores(new Map([...histories, ...sessions]), FOLDS);
const fitted = new Map<string, (candidate: Candidate) => number>();
for (const [name, { fold, score }] of folded) {
  const bend = fitBend([...folded.values()].filter((other) => other.fold !== fold));
  fitted.set(name, (candidate) => bent(bend, score(candidate)));
}

const ranker = (sets: Sets, wanted: (asked: Asked) => boolean): Ranked[] =>
  [...sets].flatMap(([name, all]) => {
    const score = fitted.get(name);
    return score ? all.filter(wanted).map((asked) => rank(asked, score, chanceAt)) : [];
  });
const way = (sets: Sets, other: Other, wanted: (asked: Asked) => boolean): Ranked[] =>
  [...sets.values()].flatMap((all) =>
    all
      .filter(wanted)
      .map((asked) =>
        rank(asked, ({ others }) => others[other] || undefined, UNSURE.has(other) ? undefined : (score) => score),
      ),
  );
const waysOf = (sets: Sets, wanted: (asked: Asked) => boolean): Way[] => [
  ...OTHERS.map((other) => [other, way(sets, other, wanted)] as const),
  [RANKER, ranker(sets, wanted)],
];

const isFirst = ({ first }: Asked): boolean => first;
const any = (): boolean => true;
const parts = [
  `### Histories\n\nQuestion: the first file of a commit. Answer: its other files.\n\n${waysTable(waysOf(histories, isFirst))}`,
  `Question: each file of a commit in turn. Answer: its other files.\n\n${waysTable(waysOf(histories, any))}`,
  `The same questions, by the measures of [co-change](#co-change).\n\n${listTable(waysOf(histories, any))}`,
  `By history, each file in turn: pairs by confidence, and ${RANKER} with weights fitted on other histories.\n\n${historiesTable()}`,
];
if (sessions.size > 0) {
  const ways: Way[] = [
    ["pairs of past sessions, by confidence", way(sessions, "pairs alone, by confidence", isFirst)],
    ["the ranker, past sessions only", ranker(sessions, isFirst)],
  ];
  parts.push(
    `### Sessions\n\nQuestion: the first file that a session edited. Answer: its other files.\n\n${waysTable(ways)}`,
  );
  parts.push(`Question: the first prompt of a session. Answer: the files it edited.\n\n${waysTable(promptWays())}`);
  parts.push(`Question: the first prompt. Answer: past sessions that edited one of the files.\n\n${pastTable()}`);
}
const held = heldOut(prompts, subjects, historyOf(".").name, chanceAt);
parts.push(
  `### Prompts with a code graph\n\nQuestion: the purpose of a commit in words. Answer: the files it changed.\n\n${waysTable(held.ways)}`,
);
parts.push(`### Calibration\n\nPredicted probability, and the share that came true.\n\n${calibration()}`);
const text = parts.join("\n\n");
process.stdout.write(`${text}\n`);
if (values.write) writeBetweenMarkers(join(import.meta.dirname, "../../docs/internals/quality.md"), text, "suggest");

function promptWays(): Way[] {
  const at = (name: (typeof PROMPT_FEATURE_NAMES)[number]): number => PROMPT_FEATURE_NAMES.indexOf(name);
  const all = [...prompts.values()].flat();
  const by = (feature: number): Ranked[] =>
    all.map((asked) => rank(asked, ({ features }) => features[feature] || undefined));
  const full = [...prompts].flatMap(([name, asked]) => {
    const rest = [...[...prompts].flatMap(([other, each]) => (other === name ? [] : [each])), ...subjects.values()];
    const score = rest.length > 0 ? promptScore(fitPrompts(rest)) : undefined;
    return score ? asked.map((each) => rank(each, score, chanceAt)) : [];
  });
  return [
    ["files that the prompt names", by(at("path"))],
    ["files of the nearest past sessions", by(at("near"))],
    ["files edited last", by(at("usual"))],
    ["`promptFiles`", full],
  ];
}

function pastTable(): string {
  const ways: [string, Asked[]][] = [
    ["the last sessions", latest],
    ["dex's search, earlier sessions only", past],
  ];
  return table(
    ["way", "questions", "with an answer", "hit@3", "hit@5"],
    ways.map(([name, asked]) => {
      const rankings = asked.map((each) => rank(each, ({ features }) => features[0]));
      const { questions, answerable, hit3, hit5 } = figuresOf(rankings);
      return [name, String(questions), String(answerable), ranged(rankings, hit3, 3), hit5.toFixed(3)];
    }),
  );
}

function listTable(ways: readonly Way[]): string {
  const base = figuresOf(ways.find(([name]) => name.startsWith("pairs"))?.[1] ?? []).map;
  return table(
    ["way", "hit@3", "hit@10", "MAP", "coverage", "MAP against confidence"],
    ways.map(([name, rankings]) => {
      const { hit3, hit10, map, coverage } = figuresOf(rankings);
      const cells = [hit3, hit10, map, coverage].map((value) => value.toFixed(3));
      return [name, ...cells, `${map < base ? "−" : "+"}${Math.abs(100 * (map / base - 1)).toFixed(1)}%`];
    }),
  );
}

function waysTable(ways: readonly Way[]): string {
  return table(
    ["way", "questions", "hit@3", "hit@5", "precision at 0.5", "questions with a push", "tokens per useful item"],
    ways.map(([name, rankings]) => {
      const figures = figuresOf(rankings);
      const count = `${figures.questions}, ${figures.answerable} answerable`;
      return [name, count, ranged(rankings, figures.hit3, 3), figures.hit5.toFixed(3), ...pushes(rankings, figures)];
    }),
  );
}

function pushes(rankings: readonly Ranked[], { precision, pushing, pushed, tokensPerUseful }: Figures): string[] {
  if (pushed === 0) return ["none pushed", "0.000", ""];
  const [low, high] = interval(rankings, pushedPart);
  const useful = Number.isFinite(tokensPerUseful) ? tokensPerUseful.toFixed(0) : "";
  return [
    `${precision.toFixed(3)} (${low.toFixed(2)} to ${high.toFixed(2)}), ${pushed} items`,
    pushing.toFixed(3),
    useful,
  ];
}

function ranged(rankings: readonly Ranked[], value: number, cut: number): string {
  const answerable = rankings.filter(({ asked }) => asked.gold > 0);
  const [low, high] = interval(answerable, (each) => [hit(each, cut), 1]);
  return `${value.toFixed(3)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

function historiesTable(): string {
  const rows = [...histories].map(([name, asked]) => {
    const one = new Map([[name, asked]]);
    const pairs = way(one, "pairs alone, by confidence", any);
    const full = ranker(one, any);
    const [a, b] = [figuresOf(pairs), figuresOf(full)];
    const before = pairs.filter((each) => each.asked.gold > 0).map((each) => hit(each, 3));
    const gains = new Map(
      full.filter((each) => each.asked.gold > 0).map((each, at) => [each, hit(each, 3) - (before[at] ?? 0)]),
    );
    const [low, high] = interval([...gains.keys()], (each) => [gains.get(each) ?? 0, 1]);
    const gain = b.hit3 - a.hit3;
    return [
      name,
      String(new Set(asked.map(({ unit }) => unit)).size),
      String(b.answerable),
      a.hit3.toFixed(3),
      `${b.hit3.toFixed(3)} (${signed(gain)}: ${signed(low)} to ${signed(high)})`,
      `${a.hit5.toFixed(3)}, ${b.hit5.toFixed(3)}`,
      b.pushed === 0 ? "none pushed" : `${b.precision.toFixed(2)} of ${b.pushed}`,
    ];
  });
  return table(["history", "commits", "questions", "pairs, hit@3", "hit@3", "hit@5, both", "precision at 0.5"], rows);
}

function calibration(): string {
  const scored = (sets: Sets) =>
    [...sets].flatMap(([name, all]) => {
      const score = fitted.get(name);
      if (!score) return [];
      return all.flatMap(({ siblings, candidates }) =>
        candidates.map((candidate) => ({
          probability: chanceAt(score(candidate)),
          right: candidate.right,
          weight: 1 / siblings,
        })),
      );
    });
  const prompted = [...prompts].flatMap(([name, all]) => {
    const rest = [...[...prompts].flatMap(([other, each]) => (other === name ? [] : [each])), ...subjects.values()];
    if (rest.length === 0) return [];
    const score = promptScore(fitPrompts(rest));
    return all.flatMap(({ candidates }) =>
      candidates.map((candidate) => ({ probability: chanceAt(score(candidate)), right: candidate.right, weight: 1 })),
    );
  });
  const groups = {
    histories: scored(histories),
    "sessions, by file": scored(sessions),
    "sessions, by prompt": prompted,
    "prompts with a graph": held.scored,
  };
  const bins = Object.entries(groups).map(([name, each]) => [name, reliability(each)] as const);
  const rows = Array.from({ length: 10 }, (_, at) => {
    const cells = bins.map(([, list]) => {
      const bin = list.find(({ from }) => Math.round(from * 10) === at);
      return bin ? `${bin.predicted.toFixed(2)}, ${bin.observed.toFixed(2)} (${bin.count})` : "";
    });
    return [`${(at / 10).toFixed(1)} to ${((at + 1) / 10).toFixed(1)}`, ...cells];
  });
  return table(["predicted", ...bins.map(([name]) => `${name}: came true (files)`)], rows);
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
