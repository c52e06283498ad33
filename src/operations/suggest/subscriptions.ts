/** Looking at subscriptions, ending them, and switching them off and on. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { defineOperation } from "../operation.ts";
import {
  projectIdField,
  projectKeyOf,
  resolveSubscription,
  shownSubscription,
  subscriptionIdField,
  subscriptionOutput,
} from "./subscription_fields.ts";

export const subscriptions = defineOperation({
  name: "context_subscriptions",
  verb: "subscriptions",
  summary: "Subscriptions and pending deliveries",
  positionals: [],
  input: z.strictObject({
    sessionId: z.string().max(200).optional().describe("Only of this conversation"),
    projectId: projectIdField.describe("Only of the project of this folder"),
  }),
  output: z.object({ subscriptions: z.array(subscriptionOutput) }),
  readOnly: true,
  idempotent: true,
  fresh: false,
  toolset: "context",
  flags: { sessionId: "session", projectId: "project" },
  run: (dex, { sessionId, projectId }) => {
    if (!dex.hasState) return { subscriptions: [] };
    const project = projectId === undefined ? undefined : projectKeyOf(dex, projectId);
    return dex.withState((state) => ({
      subscriptions: state.subscriptions
        .all()
        .filter((each) => sessionId === undefined || each.sessionId === sessionId)
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
  summary: "End a subscription; what still waits for it is dropped",
  positionals: ["id"],
  input,
  output,
  readOnly: false,
  idempotent: true,
  fresh: false,
  toolset: "context",
  run: (dex, { id }) =>
    dex.withState((state) => {
      const found = resolveSubscription(state, id);
      const subscription = shownSubscription(state, found);
      state.subscriptions.remove(found.id);
      return { subscription };
    }),
});

const switching = { positionals: ["id"] as const, input, output, readOnly: false, idempotent: true, fresh: false };

export const enableSubscription = defineOperation({
  ...switching,
  name: "context_subscriptions_enable",
  verb: "subscriptions enable",
  summary: "Switch a subscription on",
  run: (dex, { id }) => switched(dex, id, true),
});

export const disableSubscription = defineOperation({
  ...switching,
  name: "context_subscriptions_disable",
  verb: "subscriptions disable",
  summary: "Switch a subscription off; what waits for it is kept",
  run: (dex, { id }) => switched(dex, id, false),
});

function switched(dex: Dex, id: string, enabled: boolean): z.output<typeof output> {
  return dex.withState((state) => {
    const found = resolveSubscription(state, id);
    state.subscriptions.enable(found.id, enabled);
    return { subscription: shownSubscription(state, { ...found, enabled }) };
  });
}
