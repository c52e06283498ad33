/** Tokens and money as the page words them: estimates are marked, and a sum that leaves something out is a lower bound. */
import type { OperationOutput } from "../../../operations/by_name.ts";
import { plural, shortCount } from "../../parts/counts.ts";
import { visible } from "../../parts/text/visible.ts";

export type Amount = OperationOutput<"usage">["total"];

const DOLLARS = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });
const MAX_NAMED = 8;

/** `spoken`: for screen readers, which leave out or spell a tilde. */
export function tokensText({ tokens, estimated }: Amount): { shown: string; spoken: string } {
  const guess = estimated.input + estimated.output;
  const recorded = shortCount(tokens.total);
  if (guess === 0) return { shown: recorded, spoken: recorded };
  const about = shortCount(guess);
  if (tokens.total === 0) return { shown: `~${about}`, spoken: `about ${about}, estimated` };
  return { shown: `${recorded} + ~${about}`, spoken: `${recorded}, and about ${about} estimated` };
}

export function costText({ cost_usd, cost_complete, requests }: Amount): string {
  const dollars = cost_usd > 0 && cost_usd < 0.01 ? "less than $0.01" : DOLLARS.format(cost_usd);
  if (cost_complete) return dollars;
  return requests === 0 || cost_usd === 0 ? "unknown" : `at least ${DOLLARS.format(cost_usd)}`;
}

/** Everything that the sum of money leaves out. */
export function leftOutNotes({ unpriced, estimated }: Amount): string[] {
  const names = unpriced.slice(0, MAX_NAMED).map((name) => visible(name) || "unknown");
  const more = unpriced.length > MAX_NAMED ? ", …" : "";
  return [
    ...(unpriced.length > 0
      ? [`${plural(unpriced.length, "model")} without a price: ${names.join(", ")}${more} (usage.prices sets it).`]
      : []),
    ...(estimated.conversations > 0
      ? [
          `${plural(estimated.conversations, "conversation")} without recorded tokens: ~ marks tokens estimated from the text, which have no price.`,
        ]
      : []),
  ];
}
