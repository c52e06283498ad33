/** Facts that hooks give to a model, in titled groups. */
import type { Decision } from "../decisions/decision.ts";
import { SAVED_DECISION_PLACE } from "../decisions/known.ts";

export interface Fact {
  entityId: string;
  /** One line, without its source. */
  text: string;
  /** The address that opens it; null if there is none. */
  source: string | null;
  time: number | null;
  /** Change key: a new value makes this a new fact. Empty when `entityId` alone identifies it. */
  content: string;
}

/** A decision with its reason and the rejected alternatives, unless its own words contain them. */
export function decisionText({ text, because, alternatives }: Decision): string {
  const plain = (words: string): string => words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ");
  const said = plain(text);
  const isNew = (words: string): boolean => !said.includes(plain(words).trim());
  const others = alternatives.filter(isNew).map((each) => each.replace(/[.;]$/, ""));
  const more = [
    because !== null && isNew(because) ? `because: ${because}` : "",
    others.length > 0 ? `not taken: ${others.join(", ")}` : "",
  ].filter((part) => part !== "");
  return more.length === 0 ? text : `${text} (${more.join("; ")})`;
}

/** A decision in force, with the address that opens it. */
export function decisionFact(decision: Decision): Fact {
  const { id, place, time } = decision;
  return {
    entityId: `decision:${id}`,
    text: decisionText(decision),
    source: place === SAVED_DECISION_PLACE ? `decision ${id}` : place,
    time,
    content: "",
  };
}

export interface FactGroup {
  title: string;
  facts: Fact[];
}
