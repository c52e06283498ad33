/** A suggestion as sent to a subscriber and as stored. It may leave this machine: secrets and invisible characters are removed. */
import { quoteLine } from "../../redact/quote.ts";
import type { StateStore } from "../../store/state/state.ts";
import type { Subscription } from "../../store/state/subscriptions.ts";
import { cleanJson } from "../../text/clean.ts";
import type { Suggested } from "../suggest.ts";
import type { Match } from "./match.ts";
import { MAX_NAME_CHARS } from "./trigger_parts.ts";

const MAX_MATCHES = 10;

export function payloadOf(
  id: string,
  subscription: Subscription,
  suggested: Suggested,
  matches: readonly Match[],
): object {
  const { id: suggestionId, sessionId, projectId, createdAt, trigger, suggestions, status, tokens } = suggested;
  return cleanJson({
    id,
    event: "context.suggestion",
    subscriptionId: subscription.id,
    matched: matches
      .slice(0, MAX_MATCHES)
      .map(({ pattern: { type, pattern }, source }) => ({ type, pattern, source: quoteLine(source, MAX_NAME_CHARS) })),
    suggestion: {
      id: suggestionId,
      sessionId,
      projectId,
      createdAt: new Date(createdAt).toISOString(),
      trigger,
      suggestions: suggestions.map(({ time, ...item }) => ({
        ...item,
        time: time === null ? null : new Date(time).toISOString(),
      })),
      status,
      tokens,
    },
  });
}

export function rowOf(suggested: Suggested): Parameters<StateStore["suggestions"]["put"]>[0] {
  const { id, sessionId, projectId, createdAt, trigger, suggestions, latencyMs } = suggested;
  return {
    id,
    session_id: sessionId ?? "",
    project_id: projectId,
    created_at: new Date(createdAt).toISOString(),
    trigger_json: JSON.stringify(trigger),
    suggestions_json: JSON.stringify(suggestions),
    status: "pending",
    latency_ms: latencyMs,
    surface: "subscription",
  };
}
