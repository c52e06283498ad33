/**
 * The evidence of `src/ask/evidence` for questions with known answers, to fit its weights: of each question in its own
 * collection, and over all collections.
 */
import { evidenceOf, rankPassages, rivalryOf } from "../../src/ask/evidence/answering.ts";
import { findInDocuments } from "../../src/ask/finding/documents.ts";
import { modelsOf } from "../../src/ask/models.ts";
import { type Passage, Reading } from "../../src/ask/passage.ts";
import { type WeighedQuestion, weighQuestion } from "../../src/ask/question/question_words.ts";
import { questionTerms, significantTerms } from "../../src/ask/question/terms.ts";
import { extract, wantsOf } from "../../src/ask/quoting/extract.ts";
import { namedIn } from "../../src/ask/sources.ts";
import type { Dex } from "../../src/dex.ts";
import type { FittedQuestion } from "./fit.ts";
import { outcomeOf } from "./outcome.ts";
import type { Answerable, QuestionSet } from "./questions.ts";

/** As in src/ask/ask.ts and src/ask/sources.ts. */
const MAX_FOUND = 12;
const ANSWER_TOKENS = 500;

export async function evidenceOfSet(dex: Dex, set: QuestionSet): Promise<FittedQuestion[]> {
  const { collections } = await dex.library();
  const names = collections.map(({ name }) => name);
  const unanswerable = set.unanswerable.map((query): Answerable => ({ query, gold: [], fact: [] }));
  const fitted: FittedQuestion[] = [];
  for (const question of [...set.answerable, ...unanswerable]) {
    fitted.push(...(await evidenceIn(dex, set, question, [set.name])));
    if (!set.elsewhere?.includes(question.query)) fitted.push(...(await evidenceIn(dex, set, question, names)));
  }
  return fitted;
}

async function evidenceIn(
  dex: Dex,
  { name: set }: QuestionSet,
  question: Answerable,
  collections: readonly string[],
): Promise<FittedQuestion[]> {
  const isAll = collections.length > 1;
  const whole = { collections, rest: question.query };
  const named = isAll ? await namedIn(dex, "documents", question.query) : whole;
  const query = named.rest;
  const places = named.collections.length > 0 ? named.collections : collections;
  const library = await dex.library();
  const models = await modelsOf(dex.settings);
  const askedIn = (names: readonly string[]): WeighedQuestion => {
    const ids = library.collections.filter(({ name }) => names.includes(name)).map(({ id }) => id);
    const counts = library.reader.countTerms(significantTerms(query), { collections: ids });
    return weighQuestion(query, counts, models);
  };
  const reading = new Reading();
  for (const passage of await findInDocuments(dex, query, MAX_FOUND, places)) reading.add(passage);
  const asked = askedIn(collections);
  const ranked = rankPassages(asked, reading.passages);
  const collection = ranked[0]?.passage.collection;
  if (collection === undefined) return [];
  const own = ranked.map(({ passage }) => passage).filter((passage) => passage.collection === collection);
  const ownAsked = askedIn([collection]);
  const made = extract(ranked, reading.passages[0], questionTerms(query, ""), ANSWER_TOKENS, wantsOf(asked));
  const answerable = question.gold.length > 0;
  return [
    {
      set,
      isAll,
      answerable,
      right: answerable && made !== undefined && outcomeOf(question, made.quoted.map(placeOf), made.text) === "right",
      evidence: evidenceOf(ownAsked, rankPassages(ownAsked, own), rivalryOf(ranked)),
      passages: ranked.map(({ passage, match }) => ({
        match,
        gold: answerable && outcomeOf(question, [placeOf(passage)], passage.text) === "right",
      })),
    },
  ];
}

function placeOf({ document, section = "" }: Pick<Passage, "document" | "section">): string {
  return `${document}#${section.split(" > ").at(-1)}`;
}
