/** Notices that Claude Code itself writes into a session, in place of the model: recaps, and failures of the API. */
import type { Part } from "../../../../conversations/model.ts";
import { asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";

const RECAP_HINT = / \(disable recaps in \/config\)$/;

/** The notice in a system record. */
export function systemNotice(value: JsonObject): string | undefined {
  if (value.subtype === "away_summary") return (asString(value.content) ?? "").replace(RECAP_HINT, "");
  return value.subtype === "api_error" ? apiError(value) : undefined;
}

/** Whether the record of an answer contains a notice instead. */
export function isNotice(value: JsonObject, message: JsonObject): boolean {
  return value.isApiErrorMessage === true || message.model === "<synthetic>";
}

export function noticeIn(parts: readonly Part[]): string | undefined {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return text === "No response requested." ? undefined : text;
}

/** Every retry writes a record; the first contains everything. */
function apiError(value: JsonObject): string | undefined {
  if (typeof value.retryAttempt === "number" && value.retryAttempt > 1) return undefined;
  const error = asObject(value.error);
  const inner = asObject(asObject(error.error).error);
  const said = firstString(error, "formatted") ?? firstString(inner, "message") ?? firstString(error, "message");
  const status = typeof error.status === "number" ? String(error.status) : undefined;
  const text = said ?? status ?? firstString(value, "content");
  return text === undefined ? "API error" : `API error: ${text}`;
}
