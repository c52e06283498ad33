/**
 * Fetching what waits for subscriptions of the poll type. Without a cursor each is given once; a reader that lost an
 * answer names the last cursor it has, and gets all that came after it again.
 */
import * as z from "zod";
import { asObject, parseJson } from "../../kernel/json.ts";
import { defineOperation } from "../operation.ts";
import { projectIdField, projectKeyOf, resolveSubscription, subscriptionIdField } from "./subscription_fields.ts";

const deliveryOutput = z.looseObject({
  /** The same each time it is given. */
  id: z.string(),
  /** To go on after this one. */
  cursor: z.number(),
  subscriptionId: z.string(),
});

export const pollSubscriptions = defineOperation({
  name: "context_poll",
  verb: "subscriptions poll",
  summary: "Suggestions that wait for subscriptions of the poll type",
  positionals: ["id"],
  input: z.strictObject({
    id: subscriptionIdField.optional(),
    after: z.int().min(0).optional().describe("Cursor of the last one had: all after it, also those given before"),
    projectId: projectIdField.describe("Only of the project of this folder"),
    limit: z.int().min(1).max(100).default(20).describe("Maximum suggestions"),
  }),
  output: z.object({
    deliveries: z.array(deliveryOutput),
    cursor: z.number(),
    more: z.boolean(),
    /** How many made room for newer ones, ever, before they were fetched. */
    expired: z.number(),
  }),
  readOnly: false,
  idempotent: false,
  fresh: false,
  toolset: "context",
  flags: { projectId: "project" },
  unlisted: ["projectId"],
  run: (dex, input) => {
    if (!dex.hasState) return { deliveries: [], cursor: input.after ?? 0, more: false, expired: 0 };
    const projectId = input.projectId === undefined ? undefined : projectKeyOf(dex, input.projectId);
    return dex.withState((state) =>
      state.transaction(() => {
        const one = input.id === undefined ? undefined : resolveSubscription(state, input.id);
        const filter = { subscriptionId: one?.id, projectId, callbackType: "poll" } as const;
        const found = state.deliveries.after(input.after, filter, input.limit + 1);
        const shown = found.slice(0, input.limit);
        state.deliveries.handed(shown.map(({ id }) => id));
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
