/**
 * The subagents of a session. Their events are in the session's file, between its own and those of each other, and name
 * the call that started the agent: each becomes a conversation below the session.
 */
import type { ConversationMeta } from "../../../../conversations/model.ts";
import { asNumber, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { Transcript } from "../../../history/building/transcript.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { silent } from "../../../history/reading/tail.ts";
import type { ReadRequest } from "../../../history/source.ts";
import { countOutput, readEvent } from "./events.ts";
import { NOTHING_READ, type Reading, type ResumeState } from "./resume_state.ts";

const MESSAGES = new Set(["user.message", "assistant.message", "tool.execution_start", "tool.execution_complete"]);

export function agentOf(event: JsonObject): string | undefined {
  return asString(event.agentId) ?? firstString(asObject(event.data), "parentToolCallId");
}

/** The sums at the end of a session include what its subagents wrote, which is counted in their conversations. */
export function noteAgentEvent(transcript: Reading, event: JsonObject): void {
  const { outputTokens, model } = asObject(event.data);
  if (event.type === "assistant.message") countOutput(transcript, asNumber(outputTokens), asString(model));
}

/** Reads an agent's events from the beginning: the recorder stores only what is new. */
export function readSubagent({ container: { path }, sink }: ReadRequest, meta: ConversationMeta, agent: string): void {
  const start = { offset: 0, index: 0, state: NOTHING_READ };
  const transcript: Reading = new Transcript<ResumeState>(sink, meta, start);
  const named = JSON.stringify(agent);
  for (const { value, offset } of readRecords(path, { sink: silent, skip: (line) => !line.includes(named) })) {
    if (agentOf(value) !== agent || !MESSAGES.has(asString(value.type) ?? "")) continue;
    transcript.begin(offset);
    // The request of the session is the agent's prompt.
    readEvent(transcript, { ...value, data: { ...asObject(value.data), source: null } });
    if (transcript.refused) return;
  }
  transcript.close(0);
}
