/**
 * Measures how often `dex ask` without a model answers rightly, how often it refuses a question that the documents do
 * not answer, and how far its confidence can be trusted.
 *
 *   npm run bench:answers -- [--docs folder] [--half dev|held|dev2|held2|held3] [--all [--named]] [--list] [--fit]
 *
 * The questions (questions.json) were written from the documentation of packages, before anything was tuned: those with
 * an answer name the section that has it and the text that a right answer contains. The weights in src/ask/evidence are
 * fitted on the collections marked `dev` and `dev2` alone: --fit prints them, and the estimate of each collection by the
 * weights of the others. --docs keeps the fetched documents; --all asks over all collections instead of the question's
 * own, and --named then puts the collection's name before each question; --list prints every answer. An answer is right
 * if it cites the section and contains the text, partly right with one of them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { evidenceOf, rankPassages } from "../../src/ask/evidence/answering.ts";
import { askedOf } from "../../src/ask/evidence/asked.ts";
import { nearTo } from "../../src/ask/evidence/similar.ts";
import { findInDocuments } from "../../src/ask/find.ts";
import { Reading } from "../../src/ask/passage.ts";
import { asksHow, extract } from "../../src/ask/quoting/extract.ts";
import { questionTerms, significantTerms } from "../../src/ask/terms.ts";
import { Dex } from "../../src/dex.ts";
import { ask } from "../../src/operations/ask/ask.ts";
import { docsAdd } from "../../src/operations/docs/collections/add.ts";
import { runOperation } from "../../src/operations/run.ts";
import { staticEmbedder } from "../../src/search/query/vector.ts";
import { estimate, type FittedQuestion, fitEvidence, fitRank } from "./fit.ts";
import { type Answerable, fetchDocuments, type QuestionSet, questionSets } from "./questions.ts";

type Outcome = "right" | "partly" | "wrong" | "refused" | "answered";

interface Asked {
  set: QuestionSet;
  query: string;
  answerable: boolean;
  outcome: Outcome;
  confidence: string;
  places: readonly string[];
}

/** As in src/ask/ask.ts and src/ask/sources.ts. */
const MAX_FOUND = 12;
const ANSWER_TOKENS = 500;
const RANK_FIGURES = ["score", "own", "meaning", "heading", "cosine"] as const;
const EVIDENCE_FIGURES = ["unknown", "names", "window", "topic", "quantity"] as const;

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
const vars = { HOME: temp, DEX_HOME: join(temp, ".dex"), TZ: "UTC" };
const sets = questionSets();
for (const set of sets) {
  const adding = await Dex.open({ vars, cwd: temp });
  const source = fetchDocuments(set, values.docs ?? join(temp, "docs"));
  await runOperation(adding, docsAdd, docsAdd.input.parse({ name: set.name, source: [source] }), {});
  adding.close();
}
if (values.fit) await printWeights(sets.filter(({ half }) => half.startsWith("dev")));
else {
  const asked: Asked[] = [];
  for (const set of sets) if (!values.half || set.half === values.half) asked.push(...(await askSet(set)));
  if (values.list) {
    for (const { set, query, outcome, confidence, places } of asked)
      process.stdout.write(
        `${outcome.padEnd(8)} ${confidence.padEnd(6)} ${set.name}: ${query} (${places.join("; ")})\n`,
      );
  }
  for (const half of ["dev", "held", "dev2", "held2", "held3"])
    printTable(
      half,
      asked.filter(({ set }) => set.half === half),
    );
}

async function askSet(set: QuestionSet): Promise<Asked[]> {
  const dex = await Dex.open({ vars, cwd: temp });
  const put = async (query: string, question?: Answerable): Promise<Asked> => {
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
  const asked: Asked[] = [];
  for (const question of set.answerable) asked.push(await put(question.query, question));
  for (const query of set.unanswerable)
    if (!values.all || !set.elsewhere?.includes(query)) asked.push(await put(query));
  dex.close();
  return asked;
}

function outcomeOf(question: Answerable, places: readonly string[], answer: string): Outcome {
  const flat = (text: string): string => text.toLowerCase().replace(/\s+/g, " ");
  const said = question.fact.every((texts) => texts.some((text) => flat(answer).includes(flat(text))));
  const cited = places.some((place) => isGold(question, place));
  return cited && said ? "right" : cited || said ? "partly" : "wrong";
}

function isGold({ gold }: Answerable, place: string): boolean {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[`*_\\]/g, "")
      .replace(/\s+/g, " ")
      .trim();
  const split = (text: string): [string, string] => {
    const at = text.indexOf("#");
    return [text.slice(0, at), plain(text.slice(at + 1))];
  };
  const [path, heading] = split(place);
  return gold.some((each) => {
    const [document, section] = split(each.replaceAll("*", "\u2217"));
    return (document === "\u2217" || document === path) && (section === "\u2217" || section === heading);
  });
}

function printTable(half: string, asked: readonly Asked[]): void {
  if (asked.length === 0) return;
  const count = (list: readonly Asked[], outcome: Outcome): number =>
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
  for (const set of fitted) questions.push(...(await evidenceOfSet(set)));
  process.stdout.write(`rank: ${JSON.stringify(fitRank(questions, RANK_FIGURES))}\n`);
  process.stdout.write(`evidence: ${JSON.stringify(fitEvidence(questions, EVIDENCE_FIGURES))}\n`);
  const estimated = questions.map((question) => {
    const others = questions.filter(({ set }) => set !== question.set);
    return { ...question, probability: estimate(fitEvidence(others, EVIDENCE_FIGURES), question.evidence) };
  });
  for (const least of [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]) {
    const above = estimated.filter(({ probability }) => probability >= least);
    const right = above.filter((question) => question.right).length;
    const refused = estimated.filter(({ answerable, probability }) => !answerable && probability < least).length;
    process.stdout.write(`  ${least}: ${above.length} answers, ${right} right; ${refused} unanswerable refused\n`);
  }
}

async function evidenceOfSet(set: QuestionSet): Promise<FittedQuestion[]> {
  const dex = await Dex.open({ vars, cwd: temp, scope: { collections: [set.name] } });
  const { reader } = await dex.library();
  const unanswerable = set.unanswerable.map((query): Answerable => ({ query, gold: [], fact: [] }));
  const questions: FittedQuestion[] = [];
  for (const question of [...set.answerable, ...unanswerable]) {
    const { query } = question;
    const reading = new Reading();
    for (const passage of await findInDocuments(dex, query, MAX_FOUND)) reading.add(passage);
    const asked = askedOf(query, reader.countTerms(significantTerms(query)), staticEmbedder(dex.settings));
    const ranked = rankPassages(asked, reading.passages);
    const wants = { how: asksHow(query), quantity: asked.quantity, near: nearTo(asked) };
    const made = extract(ranked, reading.passages[0], questionTerms(query, ""), ANSWER_TOKENS, wants);
    const placeOf = ({ document, section = "" }: { document: string; section?: string }): string =>
      `${document}#${section.split(" > ").at(-1)}`;
    const answerable = question.gold.length > 0;
    questions.push({
      set: set.name,
      answerable,
      right: answerable && made !== undefined && outcomeOf(question, made.quoted.map(placeOf), made.text) === "right",
      evidence: evidenceOf(asked, ranked),
      passages: ranked.map(({ passage, match }) => ({ match, gold: isGold(question, placeOf(passage)) })),
    });
  }
  dex.close();
  return questions;
}
