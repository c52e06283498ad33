/** `dex subscriptions deliver` and `dead`: sends due webhooks by hand, and lists or retries those that were given up. */
import * as z from "zod";
import { DexError } from "../../kernel/errors.ts";
import { delivererOf } from "../../suggest/delivery/open.ts";
import { defineOperation } from "../operation.ts";

export const deliverSubscriptions = defineOperation({
  name: "context_deliver",
  verb: "subscriptions deliver",
  summary: "Send due webhooks once (`dex watch` and `dex serve --port` send them automatically)",
  positionals: [],
  input: z.strictObject({}),
  output: z.object({ delivered: z.number(), failed: z.number(), dead: z.number() }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, _input, context) => {
    const deliverer = delivererOf(dex, (error) => context.notice?.(String(error)));
    try {
      return await deliverer.flush();
    } finally {
      await deliverer.close();
    }
  },
});

export const deadDeliveries = defineOperation({
  name: "context_dead",
  verb: "subscriptions dead",
  summary: "List webhooks that dex gave up on, with the reason; --retry sends them again",
  positionals: [],
  input: z.strictObject({
    retry: z.string().max(100).optional().describe("Send again: a delivery's id, or all"),
  }),
  output: z.object({
    deliveries: z.array(
      z.object({
        id: z.string(),
        subscriptionId: z.string(),
        suggestionId: z.string(),
        createdAt: z.string(),
        attempts: z.number(),
        error: z.string(),
      }),
    ),
    /** The deliveries that will be sent again. */
    retried: z.array(z.string()),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: (dex, { retry }) => {
    if (!dex.hasState) return { deliveries: [], retried: [] };
    return dex.withState((state) =>
      state.transaction(() => {
        const dead = state.deliveries.dead();
        const wanted = retry === undefined ? [] : dead.filter(({ id }) => retry === "all" || id.startsWith(retry));
        if (retry !== undefined && retry !== "all" && wanted.length !== 1) {
          throw new DexError("unknown_delivery", `"${retry}" does not name exactly one delivery that was given up.`, {
            hint: "`dex subscriptions dead` lists them.",
          });
        }
        const retried = wanted.filter(({ id }) => state.deliveries.revive(id, dex.now())).map(({ id }) => id);
        return {
          deliveries: dead
            .filter(({ id }) => !retried.includes(id))
            .map(({ id, subscriptionId, suggestionId, createdAt, attempts, error }) => ({
              id,
              subscriptionId,
              suggestionId,
              createdAt: new Date(createdAt).toISOString(),
              attempts,
              error: error ?? "",
            })),
          retried,
        };
      }),
    );
  },
  isEmpty: (output) => output.deliveries.length === 0 && output.retried.length === 0,
});
