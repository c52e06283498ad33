import { NO_MODELS, type WeighedQuestion, weighQuestion } from "../../src/ask/question/question_words.ts";
import { significantTerms } from "../../src/ask/question/terms.ts";

/** A question whose words are all in two of forty texts. */
export function asked(query: string): WeighedQuestion {
  const having = new Map(significantTerms(query).map((term) => [term, 2]));
  return weighQuestion(query, { texts: 40, having }, NO_MODELS);
}
