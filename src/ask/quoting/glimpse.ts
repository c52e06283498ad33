/** One line of a passage that does not answer the question, so that the asker sees what the passage is about. */
import { cleanLine } from "../../text/clean.ts";
import type { NearestPlace } from "../answer.ts";
import { nearTo } from "../evidence/similar.ts";
import { locationOf, type ReadPassage } from "../passage.ts";
import type { WeighedQuestion } from "../question/question_words.ts";
import { coverage, questionTerms } from "../question/terms.ts";
import { type Candidate, candidatesOf, isQuestion } from "./candidates.ts";

const MAX_GLIMPSE_CHARS = 160;
/** Weight of a line's meaning relative to its words. */
const NEAR_WEIGHT = 0.5;

export function nearestPlace(asked: WeighedQuestion, passage: ReadPassage): NearestPlace {
  const excerpt = glimpseOf(asked, passage);
  return { ...locationOf(passage), ...(excerpt ? { excerpt } : {}) };
}

/** The sentence, item or row that covers most of the question; undefined for a passage with nothing but code. */
function glimpseOf(asked: WeighedQuestion, passage: ReadPassage): string | undefined {
  const terms = questionTerms(asked.query, "");
  const worth = (candidate: Candidate): number => coverage(terms, candidate.terms) + NEAR_WEIGHT * candidate.near;
  const best = candidatesOf({ passage, rank: 0, share: 1 }, terms, Number.POSITIVE_INFINITY, { near: nearTo(asked) })
    .filter((candidate) => candidate.unit.kind !== "code" && !isQuestion(candidate))
    .sort((a, b) => worth(b) - worth(a) || a.place - b.place)[0];
  return best && cleanLine(best.unit.text, MAX_GLIMPSE_CHARS);
}
