/** The answers of a search, with the figures that explain each score. */
import type { WeightedEvidence } from "./scores/evidence.ts";

export interface TextHit {
  no: number;
  /** The best message; null when only the title matched. */
  index: number | null;
  score: number;
  /** The factor for a file that the query names; 1 when it names none. */
  boost: number;
  /**
   * The best three messages, or the title. The score is the sum of their weighted scores times the boost, and the
   * evidence.
   */
  parts: HitPart[];
  evidence: WeightedEvidence[];
}

export interface HitPart {
  /** Null: the title. */
  index: number | null;
  weighted: number;
  /** The BM25 score of its words. */
  words: number;
  /** Cosine with the query; null where it has no vector or its vector was not compared. */
  cosine: number | null;
}

/** A message whose vector was near the query's, but not near enough to be returned. */
export interface DroppedHit {
  no: number;
  index: number | null;
  cosine: number;
  reason: string;
}

export interface TextHits {
  /** How many vectors the query was compared with. */
  vectors: number;
  hits: TextHit[];
  /** The number of ranked owners: those with any of the words or a similar meaning. */
  total: number;
  /** Owners that have all of the words; if there are none, all that were ranked. */
  matching: readonly number[];
  /** Whether `matching` have all of the words. */
  hasAll: boolean;
  dropped: DroppedHit[];
}

export interface MessageHit {
  no: number;
  index: number;
  score: number;
  /** The further evidence; its amounts are part of the score. */
  evidence: WeightedEvidence[];
}

/** A text that has all of some terms; index null is the title. */
export interface Holder {
  no: number;
  index: number | null;
  /** Its approximate number of words. */
  words: number;
}

/** One text of an owner: a message, a chunk of a document, an entity of a source file. */
export interface SlotHit extends MessageHit {
  words: number;
  cosine: number | null;
}

export interface SlotHits {
  hits: SlotHit[];
  total: number;
  dropped: DroppedHit[];
}

/** How many texts there are, and how many of them have each term. */
export interface TermCounts {
  texts: number;
  having: ReadonlyMap<string, number>;
}

/** The share of one query term in a text's BM25 score. */
export interface TermShare {
  term: string;
  /** Texts that have it. */
  messages: number;
  rarity: number;
  weight: number;
  share: number;
}
