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

/** A decision in force, with its reason and the address that opens it. */
export function decisionFact({ id, text, because, place, time }: Decision): Fact {
  return {
    entityId: `decision:${id}`,
    text: because === null || text.includes(because) ? text : `${text} (because: ${because})`,
    source: place === SAVED_DECISION_PLACE ? `decision ${id}` : place,
    time,
    content: "",
  };
}

export interface FactGroup {
  title: string;
  facts: Fact[];
}
