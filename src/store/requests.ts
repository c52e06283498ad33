/** The tokens of a request to a model, as the index stores them. */

/** The tokens of one request to a model, or of several that the agent recorded as a sum. */
export interface RequestDigest extends TokenCounts {
  /** Equal for copies of the same request; 0 if the agent gave no id. */
  key: number;
  /** Milliseconds; null if neither the request nor its message has a time. */
  time: number | null;
  /** Empty if unknown. */
  model: string;
  requests: number;
  /** Dollars as the agent computed them; null if it did not. */
  cost: number | null;
}

/** `input` excludes the cache; `cache_write_1h` is a part of `cache_write`, and `reasoning` of `output`. */
export interface TokenCounts {
  input: number;
  cache_read: number;
  cache_write: number;
  cache_write_1h: number;
  output: number;
  reasoning: number;
}
