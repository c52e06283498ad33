/** A query in the form that the index compares with texts: analysed terms, conditions, and a vector. */
import type { Role } from "../conversations/model.ts";
import type { WrittenTerm } from "../text/terms/forms.ts";

/** The analysed words of a query. A text matches if it has any of them. */
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
  /** For each word, the terms of a text with the whole word, without those of the parts of a name. */
  whole?: readonly string[];
  /** The words in their order, as terms and as they were typed. */
  written?: readonly WrittenTerm[];
  /** Owners that rank above all others, whatever their score; a larger number ranks higher. */
  tiers?: ReadonlyMap<number, number>;
  /** Paths, or ends of paths, that the query names: a conversation that touched one of them ranks higher. */
  paths?: readonly string[];
  /** The query is only a path: conversations that touched it come before all others. */
  pathsFirst?: boolean;
  caller?: Caller;
}

/** The caller's context. */
export interface Caller {
  /** The folders of the project that the caller is in: conversations there rank higher. */
  roots: readonly string[];
  /** The share of the best score that is added to these conversations. */
  projectBoost: number;
  /** The caller's own conversation, if known. Its content is not new to the caller, so others rank higher. */
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
  /** The weight of vectors relative to words: 0 for words alone, 1 for vectors alone. */
  share: number;
  scale: CosineScale;
}

/** The query's vector by a better, slower model. Its cosines count in addition to those of the built-in model. */
export interface SecondVector extends QueryVector {
  /** The share of the first vector next to this one. */
  firstShare: number;
  /** The share of the best score that is added to the conversation with the nearest message. */
  conversationWeight: number;
}

/** The meaning of a model's cosines. */
export interface CosineScale {
  /** The typical cosine of unrelated texts; below it a vector carries no information. */
  unrelated: number;
  /** The least cosine at which a text without any of the words is found. */
  found: number;
}
