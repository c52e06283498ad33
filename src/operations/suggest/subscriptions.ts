/** `dex subscriptions` and `dex unsubscribe`: lists, enables, disables and ends subscriptions. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { defineOperation } from "../operation.ts";
import {
  otherProjectField,
  projectKeyOf,
  resolveSubscription,
  shownSubscription,
  subscriptionIdField,
  subscriptionOutput,
} from "./subscription_fields.ts";

export const subscriptions = defineOperation({
  name: "context_subscriptions",
  verb: "subscriptions",
  summary: "List subscriptions and their pending deliveries",
  positionals: [],
  input: z.strictObject({
    session: z.string().max(200).optional().describe("Only those of this conversation"),
    project: otherProjectField,
  }),
  output: z.object({ subscriptions: z.array(subscriptionOutput) }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  projectFields: ["project"],
  toolset: "context",
  aliases: { session: ["sessionId"], project: ["projectId"] },
  run: (dex, { session, project: folder }) => {
    if (!dex.hasState) return { subscriptions: [] };
    const project = folder === undefined ? undefined : projectKeyOf(dex, folder);
    return dex.withState((state) => ({
      subscriptions: state.subscriptions
        .all()
        .filter((each) => session === undefined || each.sessionId === session)
        .filter((each) => project === undefined || each.projectId === project)
        .map((each) => shownSubscription(state, each)),
    }));
  },
  isEmpty: (output) => output.subscriptions.length === 0,
});

const output = z.object({ subscription: subscriptionOutput });
const input = z.strictObject({ id: subscriptionIdField });

export const unsubscribe = defineOperation({
  name: "context_unsubscribe",
  verb: "unsubscribe",
  summary: "End a subscription and drop its pending deliveries",
  positionals: ["id"],
  input,
  output,
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  toolset: "context",
  run: (dex, { id }) =>
    dex.withState((state) => {
      const found = resolveSubscription(state, id);
      const subscription = shownSubscription(state, found);
      state.subscriptions.remove(found.id);
      return { subscription };
    }),
});

const switchDefinition = {
  positionals: ["id"],
  input,
  output,
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
} as const;

export const enableSubscription = defineOperation({
  ...switchDefinition,
  name: "context_subscriptions_enable",
  verb: "subscriptions enable",
  summary: "Enable a subscription",
  run: (dex, { id }) => setEnabled(dex, id, true),
});

export const disableSubscription = defineOperation({
  ...switchDefinition,
  name: "context_subscriptions_disable",
  verb: "subscriptions disable",
  summary: "Disable a subscription; pending deliveries are kept",
  run: (dex, { id }) => setEnabled(dex, id, false),
});

function setEnabled(dex: Dex, id: string, enabled: boolean): z.output<typeof output> {
  return dex.withState((state) => {
    const found = resolveSubscription(state, id);
    state.subscriptions.enable(found.id, enabled);
    return { subscription: shownSubscription(state, { ...found, enabled }) };
  });
}
