/** A query in the form that the index compares with texts: analysed terms, conditions, and a vector. */
import type { Role } from "../conversations/model.ts";
import type { WrittenTerm } from "../text/forms.ts";

/** The words of a query, already analysed. A text matches when it has any of them. */
export interface TermQuery {
  terms: readonly string[];
  /** A text must have all of these. */
  required?: readonly string[];
  /** A text must have none of these. */
  excluded?: readonly string[];
  role?: Role;
  /** One more term that a text must have. */
  mark?: string;
  vector?: QueryVector;
  second?: SecondVector;
  /** For each word the terms that a text with the whole word has, without the pieces of a name. */
  whole?: readonly string[];
  /** The words in their order, as terms and as they were typed. */
  written?: readonly WrittenTerm[];
  /** Owners that come before all others, whatever their score; the larger number first. */
  tiers?: ReadonlyMap<number, number>;
  /** Paths, or ends of paths, that the query names: a conversation that touched one of them ranks higher. */
  paths?: readonly string[];
  /** The query is only a path: conversations that touched it come before all others. */
  pathsFirst?: boolean;
  caller?: Caller;
}

/** Where the query comes from. */
export interface Caller {
  /** The folders of the project that the caller is in: conversations there rank higher. */
  roots: readonly string[];
  /** The share of the best score that is added to them. */
  projectBoost: number;
  /** The conversation that the caller is in, if it is known: it knows that one already, so others come first. */
  own: number | undefined;
}

/** The model that made vectors. Only vectors of the same model are compared with each other. */
export interface VectorModel {
  name: string;
  dims: number;
}

/** A query as the model sees it. */
export interface QueryVector {
  model: VectorModel;
  row: Int8Array;
  /** One divided by the length of the row. */
  inverse: number;
  /** The signs of the row. */
  bits: Uint32Array;
  /** The weight of vectors relative to words: 0 none, 1 only vectors. */
  share: number;
  scale: CosineScale;
}

/** The query as a better, slower model sees it, whose vectors count beside those of the built-in model. */
export interface SecondVector extends QueryVector {
  /** The share of the first vector next to this one. */
  firstShare: number;
  /** The part of the best score that the conversation with the nearest message gets. */
  conversationWeight: number;
}

/** The meaning of a model's cosines. */
export interface CosineScale {
  /** Unrelated texts have a cosine of about this; below it a vector carries no information. */
  unrelated: number;
  /** A text that has none of the words is found by its vector only from this cosine on. */
  found: number;
}
