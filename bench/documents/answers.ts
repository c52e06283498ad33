/**
 * Measures how often `dex ask` without a model answers rightly, how often it refuses a question that the documents do
 * not answer, and how far its confidence can be trusted.
 *
 *   npm run bench:answers -- [--docs folder] [--half dev|held|dev2|held2|held3|held4|dev5|held5|dev6|held6|held7|held8|held9|dev10|held11|held12|held13|held14|held15]
 *     [--all [--named]] [--list] [--fit]
 *
 * The questions (questions.json) were written from the documentation of packages, before anything was tuned: those with
 * an answer name the section that has it and the text that a right answer contains. The weights in src/ask/evidence are
 * fitted on all collections but those marked `held11` to `held15`: --fit prints them, and the estimate of each
 * collection by the weights of the others. --docs keeps the fetched documents; --all asks over all collections instead of the question's
 * own, and --named then puts the collection's name before each question; --list prints every answer. An answer is right
 * if it cites the section and contains the text, partly right with one of them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MIN_LEAD } from "../../src/ask/evidence/answering.ts";
import { Dex } from "../../src/dex.ts";
import { ask } from "../../src/operations/ask/ask.ts";
import { docsAdd } from "../../src/operations/docs/collections/add.ts";
import { runOperation } from "../../src/operations/run.ts";
import { evidenceOfSet } from "./evidence.ts";
import { estimate, type FittedQuestion, fitEvidence, fitRank } from "./fit.ts";
import { type Outcome, outcomeOf } from "./outcome.ts";
import { type Answerable, fetchDocuments, type QuestionSet, questionSets } from "./questions.ts";

interface WeighedQuestion {
  set: QuestionSet;
  query: string;
  answerable: boolean;
  outcome: Outcome;
  confidence: string;
  places: readonly string[];
}

const HALVES = [
  "dev",
  "held",
  "dev2",
  "held2",
  "held3",
  "held4",
  "dev5",
  "held5",
  "dev6",
  "held6",
  "held7",
  "held8",
  "held9",
  "dev10",
  "held11",
  "held12",
  "held13",
  "held14",
  "held15",
] as const;
const OUTSIDE_THE_FIT: readonly string[] = ["held11", "held12", "held13", "held14", "held15"];
const RANK_FIGURES = ["score", "meaning", "window", "heading", "cosine", "sentence", "phrase"] as const;
const EVIDENCE_FIGURES = [
  "covered",
  "window",
  "hardest",
  "headed",
  "topic",
  "sentence",
  "quantity",
  "size",
  "name",
  "standout",
  "lead",
  "agreed",
] as const;

const { values } = parseArgs({
  options: {
    docs: { type: "string" },
    half: { type: "string" },
    all: { type: "boolean" },
    named: { type: "boolean" },
    list: { type: "boolean" },
    fit: { type: "boolean" },
  },
});
const temp = mkdtempSync(join(tmpdir(), "dex-answers-"));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));
const every = questionSets();
const sets: QuestionSet[] = [];
for (const set of every) {
  if (values.half && !every.some((each) => each.half === values.half && isTogether(each, set))) continue;
  const source = fetched(set);
  if (source === undefined) continue;
  sets.push(set);
  const adding = await Dex.open({ vars: varsOf(set), cwd: temp });
  await runOperation(adding, docsAdd, docsAdd.input.parse({ name: set.name, source: [source] }), {});
  adding.close();
}
if (values.fit) await printWeights(sets.filter(({ half }) => !OUTSIDE_THE_FIT.includes(half)));
else {
  const asked: WeighedQuestion[] = [];
  for (const set of sets) if (!values.half || set.half === values.half) asked.push(...(await askSet(set)));
  if (values.list) {
    for (const { set, query, outcome, confidence, places } of asked)
      process.stdout.write(
        `${outcome.padEnd(8)} ${confidence.padEnd(6)} ${set.name}: ${query} (${places.join("; ")})\n`,
      );
  }
  for (const half of HALVES)
    printTable(
      half,
      asked.filter(({ set }) => set.half === half),
    );
}

/** The folder with the documents, unless they cannot be fetched: then their questions are left out. */
function fetched(set: QuestionSet): string | undefined {
  try {
    return fetchDocuments(set, values.docs ?? join(temp, "docs"));
  } catch (error) {
    process.stderr.write(`${set.name}: left out, because its documents cannot be fetched (${String(error)})\n`);
    return undefined;
  }
}

/** `held4` and the sets after it have libraries of their own, because they answer questions that no earlier collection answers. */
function varsOf({ half }: QuestionSet): Record<string, string> {
  const number = Number(/\d+$/.exec(half)?.[0] ?? 0);
  const library = number >= 4 ? `.dex${number}` : ".dex";
  return { HOME: temp, DEX_HOME: join(temp, library), TZ: "UTC" };
}

/** Whether both are in one library, and so matter for each other with `--all`. */
function isTogether(a: QuestionSet, b: QuestionSet): boolean {
  return varsOf(a).DEX_HOME === varsOf(b).DEX_HOME;
}

async function askSet(set: QuestionSet): Promise<WeighedQuestion[]> {
  const dex = await Dex.open({ vars: varsOf(set), cwd: temp });
  const put = async (query: string, question?: Answerable): Promise<WeighedQuestion> => {
    const whole = values.named ? `${set.name}: ${query}` : query;
    const given = ask.input.parse({ query: whole, collections: values.all ? [] : [set.name], no_model: true });
    const { answer, sources, confidence } = ask.output.parse(
      (await runOperation(dex, ask, given, { sync: false })).output,
    );
    const places = sources.map(({ document, section = "" }) => `${document}#${section.split(" > ").at(-1)}`);
    const outcome =
      sources.length === 0 ? "refused" : question === undefined ? "answered" : outcomeOf(question, places, answer);
    return { set, query, answerable: question !== undefined, outcome, confidence, places };
  };
  const asked: WeighedQuestion[] = [];
  for (const question of set.answerable) asked.push(await put(question.query, question));
  for (const query of set.unanswerable)
    if (!values.all || !set.elsewhere?.includes(query)) asked.push(await put(query));
  dex.close();
  return asked;
}

function printTable(half: string, asked: readonly WeighedQuestion[]): void {
  if (asked.length === 0) return;
  const count = (list: readonly WeighedQuestion[], outcome: Outcome): number =>
    list.filter((each) => each.outcome === outcome).length;
  const known = asked.filter(({ answerable }) => answerable);
  const unknown = asked.filter(({ answerable }) => !answerable);
  const lines = [
    `${half}: ${known.length} answerable: ${count(known, "right")} right, ${count(known, "partly")} partly, ${count(known, "wrong")} wrong, ${count(known, "refused")} refused; ${unknown.length} unanswerable: ${count(unknown, "refused")} refused`,
    ...["high", "medium", "low"].map((confidence) => {
      const at = asked.filter((each) => each.confidence === confidence && each.outcome !== "refused");
      return `  ${confidence}: ${at.length} answers, ${count(at, "right")} right, ${count(at, "partly")} partly, ${count(at, "wrong")} wrong, ${count(at, "answered")} not answerable`;
    }),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

async function printWeights(fitted: readonly QuestionSet[]): Promise<void> {
  const questions: FittedQuestion[] = [];
  for (const set of fitted) {
    const dex = await Dex.open({ vars: varsOf(set), cwd: temp });
    questions.push(...(await evidenceOfSet(dex, set)));
    dex.close();
  }
  const own = questions.filter(({ isAll, answerable }) => !isAll && answerable);
  process.stdout.write(`rank: ${JSON.stringify(fitRank(own, RANK_FIGURES))}\n`);
  process.stdout.write(`evidence: ${JSON.stringify(fitEvidence(questions, EVIDENCE_FIGURES))}\n`);
  const weights = new Map(
    fitted.map(({ name }) => [
      name,
      fitEvidence(
        questions.filter(({ set }) => set !== name),
        EVIDENCE_FIGURES,
      ),
    ]),
  );
  const estimated = questions.map((question) => ({
    ...question,
    probability: estimate(weights.get(question.set) ?? {}, question.evidence),
  }));
  for (const isAll of [false, true]) {
    process.stdout.write(isAll ? "over all collections\n" : "in its own collection\n");
    for (const least of [0.35, 0.4, 0.45, 0.5, 0.54, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.88, 0.9]) {
      const asked = estimated.filter((question) => question.isAll === isAll);
      const above = asked.filter(({ probability }) => probability >= least);
      const right = above.filter((question) => question.right).length;
      const sure = above.filter(({ evidence }) => evidence.lead >= MIN_LEAD);
      const refused = asked.filter(({ answerable, probability }) => !answerable && probability < least).length;
      process.stdout.write(
        `  ${least}: ${above.length} answers, ${right} right; with a lead ${sure.length}, ${sure.filter((each) => each.right).length} right; ${refused} unanswerable refused\n`,
      );
    }
  }
}
