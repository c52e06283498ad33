/**
 * `dex subscriptions poll`: fetches pending deliveries. Without a cursor each delivery is returned once. A reader that lost
 * an answer passes its last cursor and gets everything after it again.
 */
import * as z from "zod";
import { asObject, parseJson } from "../../kernel/json.ts";
import { defineOperation } from "../operation.ts";
import { otherProjectField, projectKeyOf, resolveSubscription, subscriptionIdField } from "./subscription_fields.ts";

const deliveryOutput = z.looseObject({
  /** Stays the same when the delivery is returned again. */
  id: z.string(),
  /** Pass it as `after` to continue after this delivery. */
  cursor: z.number(),
  subscriptionId: z.string(),
});

export const pollSubscriptions = defineOperation({
  name: "context_poll",
  verb: "subscriptions poll",
  summary: "Fetch pending suggestions of poll subscriptions",
  positionals: ["id"],
  input: z.strictObject({
    id: subscriptionIdField.optional(),
    after: z
      .int()
      .min(0)
      .optional()
      .describe("Last known cursor: returns everything after it, even if already fetched"),
    project: otherProjectField,
    limit: z.int().min(1).max(100).default(20).describe("Maximum suggestions"),
  }),
  output: z.object({
    deliveries: z.array(deliveryOutput),
    cursor: z.number(),
    more: z.boolean(),
    /** Deliveries that were ever dropped, before they were fetched, to make room for newer ones. */
    expired: z.number(),
  }),
  readOnly: false,
  idempotent: false,
  syncBefore: "none",
  toolset: "context",
  aliases: { project: ["projectId"] },
  unlisted: ["project"],
  run: (dex, input) => {
    if (!dex.hasState) return { deliveries: [], cursor: input.after ?? 0, more: false, expired: 0 };
    const projectId = input.project === undefined ? undefined : projectKeyOf(dex, input.project);
    return dex.withState((state) =>
      state.transaction(() => {
        const one = input.id === undefined ? undefined : resolveSubscription(state, input.id);
        const filter = { subscriptionId: one?.id, projectId, callbackType: "poll" } as const;
        const found = state.deliveries.after(input.after, filter, input.limit + 1);
        const shown = found.slice(0, input.limit);
        state.deliveries.markFetched(shown.map(({ id }) => id));
        const all = one ? [one] : state.subscriptions.all().filter(({ callbackType }) => callbackType === "poll");
        return {
          deliveries: shown.map(({ id, seq, subscriptionId, body }) => ({
            ...asObject(parseJson(body)),
            id,
            cursor: seq,
            subscriptionId,
          })),
          cursor: shown.at(-1)?.seq ?? input.after ?? state.deliveries.last(),
          more: found.length > shown.length,
          expired: all.reduce((sum, { expired }) => sum + expired, 0),
        };
      }),
    );
  },
  isEmpty: (output) => output.deliveries.length === 0,
});
