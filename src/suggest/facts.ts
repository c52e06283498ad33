/** Facts that hooks give to a model, in titled groups. */

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

export interface FactGroup {
  title: string;
  facts: Fact[];
}
