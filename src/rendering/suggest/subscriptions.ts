/** Renders subscriptions and their deliveries. */
import type * as z from "zod";
import { asArray, asObject, asString } from "../../kernel/json.ts";
import { plural } from "../../kernel/text.ts";
import type { subscribe } from "../../operations/suggest/subscribe.ts";
import type { subscriptions, unsubscribe } from "../../operations/suggest/subscriptions.ts";
import type { deadDeliveries, deliverSubscriptions } from "../../operations/suggest/subscriptions_deliver.ts";
import type { pollSubscriptions } from "../../operations/suggest/subscriptions_poll.ts";
import { cleanText } from "../../text/clean.ts";
import { paint, type Terminal, table, when } from "../terminal/terminal.ts";
import { projectFolder } from "./project_folder.ts";

type Row = z.output<typeof subscriptions.output>["subscriptions"][number];

function renderSubscribed(output: z.output<typeof subscribe.output>, terminal: Terminal): string {
  const { subscription, secret } = output;
  const lines = [
    `${paint(terminal, "cyan", subscription.id)}  ${patternsText(subscription)}`,
    deliveryText(subscription, terminal),
  ];
  if (secret !== undefined) {
    lines.push(`Secret: ${paint(terminal, "bold", secret)}`, "It signs each delivery and is not shown again.");
  }
  return lines.join("\n");
}

function deliveryText({ id, callbackType, callbackUrl }: Row, terminal: Terminal): string {
  if (callbackType === "webhook") return `Suggestions are sent to ${callbackUrl} while \`dex watch\` runs.`;
  if (callbackType === "sse") return `\`dex serve --port\` streams suggestions at GET /events?subscription=${id}.`;
  const polls = terminal.compact ? `context_poll {"id": "${id}"}` : `\`dex subscriptions poll ${id}\``;
  return `${polls} fetches the suggestions of \`dex watch\`.`;
}

function renderSubscriptions(output: z.output<typeof subscriptions.output>, terminal: Terminal): string {
  if (output.subscriptions.length === 0) return "There are no subscriptions.";
  const rows = output.subscriptions.map((row) => [
    row.id,
    row.enabled ? "on" : "off",
    row.callbackUrl ?? row.callbackType,
    row.lastTriggeredAt === undefined ? "never" : when(terminal, row.lastTriggeredAt),
    countsText(row),
    `${patternsText(row)} in ${projectFolder(row.projectId)}`,
  ]);
  const columns = [
    { title: "subscription", style: "cyan" },
    { title: "state" },
    { title: "delivery by" },
    { title: "last" },
    { title: "deliveries" },
    { title: "watches", flexible: true },
  ] as const;
  return table(terminal, columns, rows);
}

function patternsText({ watchPatterns }: Row): string {
  return watchPatterns.map(({ type, pattern }) => `${type} ${pattern}`).join(", ");
}

function countsText({ deliveries: { pending, delivered, dead, expired } }: Row): string {
  const parts = [`${pending} pending`, `${delivered} delivered`];
  if (dead > 0) parts.push(`${dead} given up`);
  if (expired > 0) parts.push(`${expired} expired`);
  return parts.join(", ");
}

function renderUnsubscribed(output: z.output<typeof unsubscribe.output>): string {
  return `${output.subscription.id} has ended.`;
}

function renderSwitched(output: z.output<typeof unsubscribe.output>): string {
  return `${output.subscription.id} is ${output.subscription.enabled ? "on" : "off"}.`;
}

function renderPolled(output: z.output<typeof pollSubscriptions.output>, terminal: Terminal): string {
  const expired =
    output.expired > 0 ? [`${plural(output.expired, "suggestion")} expired before they were fetched.`] : [];
  if (output.deliveries.length === 0) return ["Nothing is pending.", ...expired].join("\n");
  const blocks = output.deliveries.map((delivery) => {
    const suggestion = asObject(delivery.suggestion);
    const source = asString(asObject(suggestion.trigger).source) ?? "";
    const head = `${paint(terminal, "cyan", delivery.id)}  ${cleanText(source)}  (${delivery.subscriptionId})`;
    return [head, ...asArray(suggestion.suggestions).map(itemLine)].join("\n");
  });
  const more = output.more ? ", more are pending" : "";
  return [...blocks, [`cursor ${output.cursor}${more}`, ...expired].join("\n")].join("\n\n");
}

function itemLine(value: unknown): string {
  const item = asObject(value);
  const title = cleanText(asString(item.title) ?? "");
  const reason = cleanText(asString(item.reason) ?? "");
  return `  ${asString(item.type) ?? ""}: ${title} (${asString(item.actionUrl) ?? ""}) ${reason}`.trimEnd();
}

function renderDelivered({ delivered, failed, dead }: z.output<typeof deliverSubscriptions.output>): string {
  return `${delivered} delivered, ${failed} failed and will be retried, ${dead} given up.`;
}

function renderDead(output: z.output<typeof deadDeliveries.output>, terminal: Terminal): string {
  const retried =
    output.retried.length > 0 ? [`${plural(output.retried.length, "delivery", "deliveries")} will be retried.`] : [];
  if (output.deliveries.length === 0) return retried[0] ?? "No delivery was given up.";
  const rows = output.deliveries.map(({ id, subscriptionId, createdAt, attempts, error }) => [
    id,
    subscriptionId,
    when(terminal, createdAt),
    String(attempts),
    error,
  ]);
  const columns = [
    { title: "delivery", style: "cyan" },
    { title: "subscription" },
    { title: "created" },
    { title: "attempts", align: "right" },
    { title: "reason", flexible: true },
  ] as const;
  return [table(terminal, columns, rows), ...retried].join("\n");
}

export const SUBSCRIPTION_RENDERERS = {
  subscribe: renderSubscribed,
  unsubscribe: renderUnsubscribed,
  subscriptions: renderSubscriptions,
  "subscriptions enable": renderSwitched,
  "subscriptions disable": renderSwitched,
  "subscriptions poll": renderPolled,
  "subscriptions deliver": renderDelivered,
  "subscriptions dead": renderDead,
};
