/** A suggestion as it is sent to who subscribed, and as it is kept. */
import { redactText } from "../redact/redact.ts";
import type { StateStore } from "../store/sqlite/state.ts";
import type { Subscription } from "../store/subscriptions.ts";
import type { SuggestionItem } from "../suggest/model.ts";
import type { Match } from "../suggest/subscriptions/match.ts";
import type { Suggested } from "./suggesting.ts";

const LONGEST_TEXT = 2000;
const MOST_MATCHES = 10;

/** What is sent may leave this machine, and what is written stays: neither holds a secret. */
export function plainItem(item: SuggestionItem): SuggestionItem {
  const plain = (text: string): string => redactText(text).text.slice(0, LONGEST_TEXT);
  return { ...item, title: plain(item.title), summary: plain(item.summary), reason: plain(item.reason) };
}

export function payloadOf(
  id: string,
  subscription: Subscription,
  suggested: Suggested,
  matches: readonly Match[],
): object {
  const { id: suggestionId, sessionId, projectId, createdAt, trigger, suggestions, status, tokens } = suggested;
  return {
    id,
    event: "context.suggestion",
    subscriptionId: subscription.id,
    matched: matches
      .slice(0, MOST_MATCHES)
      .map(({ pattern: { type, pattern }, source }) => ({ type, pattern, source: redactText(source).text })),
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
  };
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
