/** The price of a model by its name, as agents spell it: with the provider, a date, an effort, or dots for dashes. */
import type { Settings } from "../config/schema.ts";
import type { TokenCounts } from "../store/requests.ts";
import { INPUT_SIZES } from "../store/usage.ts";
import { type ModelPrice, PRICE_TABLE, type Price } from "./price_table.ts";

type OwnPrices = Settings["usage"]["prices"];

export class Prices {
  readonly #own: ReadonlyMap<string, ModelPrice>;
  readonly #found = new Map<string, ModelPrice | undefined>();

  /** `own`: the user's prices by model; they replace those of the table. */
  constructor(own: OwnPrices) {
    this.#own = new Map(Object.entries(own).map(([name, price]) => [plainName(name), completed(price)]));
  }

  /** Whether the user has set the price. */
  isOwn(model: string): boolean {
    return this.#own.size > 0 && this.#own.has(plainName(model));
  }

  /** Dollars for requests to a model with inputs of this size; undefined if its price is unknown. */
  cost(model: string, size: number, counts: TokenCounts): number | undefined {
    const price = this.#of(model);
    if (!price) return undefined;
    const { input, output, cache_read, cache_write, cache_write_1h } = tierOf(price, size);
    const brief = counts.cache_write - counts.cache_write_1h;
    const millionths =
      counts.input * input +
      counts.output * output +
      counts.cache_read * cache_read +
      brief * cache_write +
      counts.cache_write_1h * cache_write_1h;
    return millionths / 1e6;
  }

  #of(model: string): ModelPrice | undefined {
    if (!this.#found.has(model)) {
      const name = plainName(model);
      this.#found.set(model, this.#own.get(name) ?? PRICE_TABLE.get(name));
    }
    return this.#found.get(model);
  }
}

function tierOf(price: ModelPrice, size: number): Price {
  return price.tiers.findLast(({ above }) => INPUT_SIZES.indexOf(above) < size) ?? price;
}

/** Prices that the user left out: reading and writing the cache costs as much as the input. */
function completed({ tiers = [], ...price }: OwnPrices[string]): ModelPrice {
  const whole = (each: Partial<Price> & { input: number; output: number }): Price => ({
    input: each.input,
    output: each.output,
    cache_read: each.cache_read ?? each.input,
    cache_write: each.cache_write ?? each.input,
    cache_write_1h: each.cache_write_1h ?? each.cache_write ?? each.input,
  });
  const sorted = [...tiers].sort((a, b) => a.above - b.above);
  return { ...whole(price), tiers: sorted.map((tier) => ({ above: tier.above, ...whole(tier) })) };
}

const DATE = /[-@](?:20\d{6}|20\d\d-\d\d-\d\d|\d{4})$/;
const VERSION = /-v\d+(?::\d+)?$/;
const MODE = /[-:](?:latest|preview|thinking|reasoning|non-reasoning|exp|free|none|minimal|low|medium|high|xhigh|max)$/;

const SHOWN_MODE = / \((?:minimal|low|medium|high|max|thinking)\)$/;

/** The name that the table uses. */
export function plainName(model: string): string {
  let name = model
    .toLowerCase()
    .replace(/\[[^\]]*\]$/, "")
    // Names as programs show them: "Gemini 3.1 Pro (High)".
    .replace(SHOWN_MODE, "")
    .trim()
    .replace(/ +/g, "-")
    .replace(/^.*\//, "")
    .replace(/^(?:[a-z-]+\.)?(?:anthropic|openai|google|amazon|deepseek|moonshotai?|qwen|zai|xai)\./, "");
  if (PRICE_TABLE.has(name)) return name;
  if (name.includes("claude"))
    name = name.replaceAll(".", "-").replace(/^claude-(\d)-(\d)-(opus|sonnet|haiku)\b/, claudeOrder);
  name = name.replace(/^claude-(\d)-(opus|sonnet|haiku)\b/, (all, version, kind) =>
    Number(version) > 3 ? `claude-${kind}-${version}` : all,
  );
  for (let before = ""; before !== name && !PRICE_TABLE.has(name); ) {
    before = name;
    name = name.replace(VERSION, "").replace(DATE, "");
    if (!PRICE_TABLE.has(name)) name = name.replace(MODE, "");
  }
  return name;
}

/** Before version 4, the version came first. */
function claudeOrder(all: string, major: string, minor: string, kind: string): string {
  return Number(major) > 3 ? `claude-${kind}-${major}-${minor}` : all;
}
