/**
 * Measures file suggestions by replaying repositories and real sessions, with knowledge of the past only.
 * docs/internals/quality/suggestions.md explains the figures.
 *
 *   npm run bench:suggest -- [--commits N] [--keep <folder> | --fresh] [--write] [<repository> …]
 *
 * Without a repository, the shared ones next to this checkout are cloned and replayed. Projects are dealt into three
 * folds, and each fold is ranked by weights fitted on the other two, so that no project is measured with weights learnt
 * from it. --commits: how many of the last commits of each repository are asked about, 300 by default. --keep: the folder of
 * kept replays, .cache/suggest by default; --fresh keeps none. --write updates the tables in docs/internals/quality/suggestions.md.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PROMPT_FEATURE_NAMES } from "../../src/suggest/files/prompt/features.ts";
import { chanceAt } from "../../src/suggest/scale.ts";
import { markdownTable } from "../lib/markdown_table.ts";
import { writeBetweenMarkers } from "../lib/table.ts";
import {
  calibrationError,
  type Figures,
  figuresOf,
  hit,
  interval,
  pushedPart,
  type Ranked,
  rank,
  reliability,
} from "./measure.ts";
import { fileScore, fitFiles, fitPrompts, foldedScores, foldsOf, promptScore } from "./model.ts";
import { type Asked, type Candidate, OTHERS, type Other } from "./rows.ts";
import { loadSets, SET_OPTIONS } from "./sets.ts";

const { values, positionals } = parseArgs({
  options: { ...SET_OPTIONS, write: { type: "boolean" } },
  allowPositionals: true,
});
const { histories, sessions, prompts, subjects, named, past, latest, joint } = await loadSets(positionals, values);

type Way = readonly [name: string, rankings: Ranked[]];
type Sets = ReadonlyMap<string, readonly Asked[]>;
type Scores = ReadonlyMap<string, (candidate: Candidate) => number>;
const RANKER = "`dex code related`";
const SILENCE = "silence";
/** The graph alone gives no probability; the others' scores are shares, and serve as one. */
const UNSURE = new Set<Other>(["import graph alone"]);

const foldOf = foldsOf([...histories.keys(), ...sessions.keys(), ...prompts.keys()]);
const byFile = foldedScores([...histories, ...sessions], foldOf, (sets) => fileScore(fitFiles(sets)));
const byCode = foldedScores([...prompts, ...subjects], foldOf, (sets) => promptScore(fitPrompts(sets)));
const byNames = foldedScores([...prompts, ...named], foldOf, (sets) => promptScore(fitPrompts(sets)));

const ranker = (sets: Sets, scores: Scores, wanted: (asked: Asked) => boolean): Ranked[] =>
  [...sets].flatMap(([name, all]) => {
    const score = scores.get(name);
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
const silence = (sets: Sets, wanted: (asked: Asked) => boolean): Ranked[] =>
  [...sets.values()].flatMap((all) => all.filter(wanted).map((asked) => rank(asked, () => undefined)));
const waysOf = (sets: Sets, wanted: (asked: Asked) => boolean): Way[] => [
  [SILENCE, silence(sets, wanted)],
  ...OTHERS.map((other) => [other, way(sets, other, wanted)] as const),
  [RANKER, ranker(sets, byFile, wanted)],
];

const isFirst = ({ first }: Asked): boolean => first;
const any = (): boolean => true;
const parts = [
  `### Histories\n\nQuestion: the first file of a commit, by name. Answer: its other files.\n\n${waysTable(waysOf(histories, isFirst))}`,
  `Question: each file of a commit in turn. Answer: its other files.\n\n${waysTable(waysOf(histories, any))}`,
  `By repository, the first file: pairs by confidence, and ${RANKER} with weights fitted on other projects. The ceiling is the share of questions with a right file among the first 50, and among all candidates.\n\n${historiesTable()}`,
];
if (sessions.size > 0) {
  const ways: Way[] = [
    ["pairs of past sessions, by confidence", way(sessions, "pairs alone, by confidence", isFirst)],
    ["the ranker, past sessions only", ranker(sessions, byFile, isFirst)],
  ];
  parts.push(
    `### Sessions\n\nQuestion: the first file that a session edited. Answer: its other files.\n\n${waysTable(ways)}`,
    `Question: the first prompt of a session. Answer: the files it edited.\n\n${waysTable(promptWays())}`,
    `By project, the first prompt.\n\n${waysTable(projectWays(prompts, byCode, "project"))}`,
    ...(joint.size === 0
      ? []
      : [
          `The same with all sources, for the projects whose repository is known: past sessions, commits and a code graph. Sessions that edited nothing are asked, too.\n\n${waysTable(projectWays(joint, byCode, "project"))}`,
        ]),
    `Question: the first prompt. Answer: past sessions that edited one of the files.\n\n${pastTable()}`,
  );
}
parts.push(
  `### Prompts with a code graph\n\nQuestion: the subject of a commit. Answer: the files it changed.\n\n${waysTable(projectWays(subjects, byCode, "repository"))}`,
  `### Prompts without a code graph\n\nThe same questions, with the names of the files instead of the code.\n\n${waysTable(projectWays(named, byNames, "repository"))}`,
  `### Calibration\n\nPredicted probability, and the share that came true, of projects outside the fit.\n\n${calibration()}`,
);
const text = parts.join("\n\n");
process.stdout.write(`${text}\n`);
if (values.write)
  writeBetweenMarkers(join(import.meta.dirname, "../../docs/internals/quality/suggestions.md"), text, "suggest");

function promptWays(): Way[] {
  const at = (name: (typeof PROMPT_FEATURE_NAMES)[number]): number => PROMPT_FEATURE_NAMES.indexOf(name);
  const all = [...prompts.values()].flat();
  const by = (feature: number): Ranked[] =>
    all.map((asked) => rank(asked, ({ features }) => features[feature] || undefined));
  return [
    [SILENCE, silence(prompts, any)],
    ["files that the prompt names", by(at("path"))],
    ["files of the nearest past sessions", by(at("near"))],
    ["files edited last", by(at("usual"))],
    ["`promptFiles`", ranker(prompts, byCode, any)],
  ];
}

function projectWays(sets: Sets, scores: Scores, what: string): Way[] {
  return [
    ...[...sets].map(([name, asked], at): Way => [numbered(what, at), ranker(new Map([[name, asked]]), scores, any)]),
    ["all", ranker(sets, scores, any)],
  ];
}

function pastTable(): string {
  const ways: [string, Asked[]][] = [
    ["the last sessions", latest],
    ["dex's search, earlier sessions only", past],
  ];
  return markdownTable(
    ["way", "questions", "with an answer", "hit@3", "hit@5"],
    ways.map(([name, asked]) => {
      const rankings = asked.map((each) => rank(each, ({ features }) => features[0]));
      const { questions, answerable, hit3, hit5 } = figuresOf(rankings);
      return [name, String(questions), String(answerable), ranged(rankings, hit3, 3), hit5.toFixed(3)];
    }),
  );
}

function waysTable(ways: readonly Way[]): string {
  return markdownTable(
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
  const rows = [...histories].map(([name, asked], place) => {
    const one = new Map([[name, asked]]);
    const pairs = way(one, "pairs alone, by confidence", isFirst);
    const full = ranker(one, byFile, isFirst);
    const [a, b] = [figuresOf(pairs), figuresOf(full)];
    const before = pairs.filter((each) => each.asked.gold > 0).map((each) => hit(each, 3));
    const gains = new Map(
      full.filter((each) => each.asked.gold > 0).map((each, at) => [each, hit(each, 3) - (before[at] ?? 0)]),
    );
    const [low, high] = interval([...gains.keys()], (each) => [gains.get(each) ?? 0, 1]);
    const ceiling = (cut: number): string =>
      ([...gains.keys()].reduce((sum, each) => sum + hit(each, cut), 0) / b.answerable).toFixed(2);
    return [
      numbered("repository", place),
      String(b.questions),
      String(b.answerable),
      a.hit3.toFixed(3),
      `${b.hit3.toFixed(3)} (${signed(b.hit3 - a.hit3)}: ${signed(low)} to ${signed(high)})`,
      `${ceiling(50)}, ${ceiling(Number.POSITIVE_INFINITY)}`,
      b.pushed === 0 ? "none pushed" : `${b.precision.toFixed(2)} of ${b.pushed}`,
    ];
  });
  const head = ["repository", "commits", "answerable", "pairs, hit@3", "hit@3", "ceiling", "precision at 0.5"];
  return markdownTable(head, rows);
}

function calibration(): string {
  const scored = (sets: Sets, scores: Scores, wanted: (asked: Asked) => boolean = any) =>
    [...sets].flatMap(([name, all]) => {
      const score = scores.get(name);
      return score
        ? all.filter(wanted).flatMap(({ siblings, candidates }) =>
            candidates.map((candidate) => ({
              probability: chanceAt(score(candidate)),
              right: candidate.right,
              weight: wanted === any ? 1 / siblings : 1,
            })),
          )
        : [];
    });
  const groups = {
    "first file": scored(histories, byFile, isFirst),
    "each file": scored(histories, byFile),
    "sessions, by file": scored(sessions, byFile),
    "sessions, by prompt": scored(prompts, byCode),
    "the same, all sources": scored(joint, byCode),
    "subjects of commits": scored(subjects, byCode),
    "subjects, by names": scored(named, byNames),
  };
  const bins = Object.entries(groups).map(([name, each]) => [name, reliability(each)] as const);
  const rows = Array.from({ length: 10 }, (_, at) => {
    const cells = bins.map(([, list]) => {
      const bin = list.find(({ from }) => Math.round(from * 10) === at);
      return bin ? `${bin.predicted.toFixed(2)}, ${bin.observed.toFixed(2)} (${bin.count})` : "";
    });
    return [`${(at / 10).toFixed(1)} to ${((at + 1) / 10).toFixed(1)}`, ...cells];
  });
  const errorOf = (list: (typeof bins)[number][1], from: number): string =>
    calibrationError(list.filter((bin) => bin.from >= from)).toFixed(3);
  rows.push(["expected calibration error", ...bins.map(([, list]) => errorOf(list, 0))]);
  rows.push(["the same, from 0.1 on", ...bins.map(([, list]) => errorOf(list, 0.1))]);
  return markdownTable(["predicted", ...bins.map(([name]) => `${name}: came true (files)`)], rows);
}

/** The tables name no project: the data may be private. They are in the order in which the replay reports them. */
function numbered(what: string, place: number): string {
  return `${what} ${place + 1}`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}
