/** Sums of tokens and money. A sum of money that leaves something out says so. */
import type { TokenCounts } from "../store/requests.ts";
import type { TextRow, UsageRow } from "../store/usage.ts";
import type { Prices } from "./prices.ts";

export interface Amount {
  conversations: number;
  requests: number;
  tokens: TokenCounts & { total: number };
  /** Dollars for the requests to models with a known price. */
  cost_usd: number;
  /** False: the sum is a lower bound. */
  cost_complete: boolean;
  /** Models without a price; an empty name: requests whose model is unknown. */
  unpriced: string[];
  /** Tokens of texts in conversations without recorded tokens: not in `tokens`, and without a price. */
  estimated: { conversations: number; input: number; output: number };
}

const COUNTS = ["input", "cache_read", "cache_write", "cache_write_1h", "output", "reasoning"] as const;

export class Sum {
  readonly #tokens: TokenCounts = {
    input: 0,
    cache_read: 0,
    cache_write: 0,
    cache_write_1h: 0,
    output: 0,
    reasoning: 0,
  };
  readonly #conversations = new Set<number>();
  readonly #estimated = new Set<number>();
  readonly #unpriced = new Set<string>();
  #requests = 0;
  #cost = 0;
  #input = 0;
  #output = 0;

  add(row: UsageRow, cost: number | undefined): void {
    const tokens = this.#tokens;
    this.#conversations.add(row.no);
    tokens.input += row.input;
    tokens.cache_read += row.cache_read;
    tokens.cache_write += row.cache_write;
    tokens.cache_write_1h += row.cache_write_1h;
    tokens.output += row.output;
    tokens.reasoning += row.reasoning;
    this.#requests += row.requests;
    if (cost === undefined) this.#unpriced.add(row.model);
    else this.#cost += cost;
  }

  estimate(row: TextRow): void {
    this.#estimated.add(row.no);
    this.#input += row.input;
    this.#output += row.output;
  }

  /** Adds another sum. */
  include(other: Sum): void {
    for (const name of COUNTS) this.#tokens[name] += other.#tokens[name];
    for (const no of other.#conversations) this.#conversations.add(no);
    for (const no of other.#estimated) this.#estimated.add(no);
    for (const model of other.#unpriced) this.#unpriced.add(model);
    this.#requests += other.#requests;
    this.#cost += other.#cost;
    this.#input += other.#input;
    this.#output += other.#output;
  }

  amount(): Amount {
    const { input, cache_read, cache_write, output } = this.#tokens;
    return {
      conversations: this.#conversations.size,
      requests: this.#requests,
      tokens: { ...this.#tokens, total: input + cache_read + cache_write + output },
      cost_usd: rounded(this.#cost),
      // An agent may record the cost without the tokens.
      cost_complete: this.#unpriced.size === 0 && this.#estimated.isSubsetOf(this.#conversations),
      unpriced: [...this.#unpriced].sort(),
      estimated: { conversations: this.#estimated.size, input: this.#input, output: this.#output },
    };
  }
}

/** Dollars for a row: the user's own price, else the agent's own sum, else the price table. Undefined: unknown. */
export function costOf(row: UsageRow, prices: Prices): number | undefined {
  if (row.cost !== null && !prices.isOwn(row.model)) return row.cost;
  return prices.cost(row.model, row.size, row) ?? row.cost ?? undefined;
}

/** Removes the noise of floating-point sums: a millionth of a dollar is less than any price of a request. */
function rounded(dollars: number): number {
  return Math.round(dollars * 1e6) / 1e6;
}
