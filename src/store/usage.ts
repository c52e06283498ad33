/** The port to the tokens that requests to models used. */
import type { ConversationFilter } from "./ports.ts";
import type { TokenCounts } from "./requests.ts";

/** Prices may change when the input of a request exceeds one of these numbers of tokens. */
export const INPUT_SIZES: readonly number[] = [32_000, 128_000, 200_000, 256_000, 272_000, 512_000];

/** A quarter of an hour: the offset of every time zone is a multiple of it, so its sums give the days of any zone. */
export const QUARTER_MS = 900_000;

/** Sums over requests of a conversation to a model, within a quarter of an hour, which starts at `time`. */
export interface UsageRow extends TokenCounts {
  no: number;
  time: number;
  model: string;
  /** The number of `INPUT_SIZES` that the input of each request exceeds, because prices may depend on it. */
  size: number;
  requests: number;
  /** Dollars as the agent computed them; null if it did not. */
  cost: number | null;
}

/** A single request, at its own time. */
export type RequestRow = UsageRow;

/** Tokens of the texts of a conversation without recorded tokens, in a quarter of an hour. */
export interface TextRow {
  no: number;
  time: number;
  /** Written by the model, and by everyone else. */
  output: number;
  input: number;
}

export interface UsageReader {
  /** The requests of these conversations within the filter's span of time, each counted once. */
  usage(filter: ConversationFilter): UsageRow[];
  /** The same, one by one, in the order of their times. */
  requests(filter: ConversationFilter): RequestRow[];
  /** The size of conversations without any recorded tokens. */
  unrecorded(filter: ConversationFilter): TextRow[];
}
