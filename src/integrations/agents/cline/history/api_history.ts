/** Cline's model history (`api_conversation_history.json`, `<session>.messages.json`), converted to messages. */
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asObject, asString, firstString, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { assistantParts, blocksOf, textPart } from "../../../history/building/blocks.ts";
import { type PendingCall, userTurn } from "./user.ts";
import { partsOfText } from "./xml.ts";

/** `timeOf` finds the time of a record that has none. */
export function* historyMessages(
  history: readonly Json[],
  timeOf: (index: number) => string | undefined,
): Generator<Message> {
  let calls: PendingCall[] = [];
  for (const [index, entry] of history.entries()) {
    const record = asObject(entry);
    const common = { time: toIso(record.ts) ?? timeOf(index), uid: firstString(record, "id") };
    if (record.role === "assistant") {
      const parts = contentParts(blocksOf(record.content));
      calls = parts.filter((part) => part.type === "tool_call").map(({ id, name }) => defined({ id, name }));
      if (parts.length === 0) continue;
      if (record.isSummary === true) yield defined({ ...common, role: "system", kind: "summary", parts: texts(parts) });
      else yield defined({ ...common, role: "assistant", parts, model: recordModel(record) });
      continue;
    }
    if (record.role !== "user") continue;
    yield* userMessages(record, common, calls);
  }
}

function* userMessages(
  record: JsonObject,
  common: { time: string | undefined; uid: string | undefined },
  calls: readonly PendingCall[],
): Generator<Message> {
  const { results, words } = userTurn(blocksOf(record.content), calls);
  const parts = words.map((text): Part => ({ type: "text", text }));
  if (record.isSummary === true && parts.length > 0) {
    yield defined({ ...common, role: "system", kind: "summary", parts });
    return;
  }
  if (results.length > 0) yield defined({ ...common, role: "tool", parts: results });
  if (parts.length === 0) return;
  const uid = common.uid && results.length > 0 ? `${common.uid}:user` : common.uid;
  yield defined({ ...common, role: "user", parts, uid });
}

function contentParts(blocks: readonly JsonObject[]): Part[] {
  return blocks.flatMap((block) => {
    if (block.type === "text") return partsOfText(asString(block.text) ?? "");
    if (block.type === "reasoning") return textPart("thinking", asString(block.text)) ?? [];
    return assistantParts([block]);
  });
}

function texts(parts: readonly Part[]): Part[] {
  return parts.filter((part) => part.type === "text");
}

function recordModel(record: JsonObject): string | undefined {
  return firstString(asObject(record.modelInfo), "modelId", "id");
}

/** The folder that the editor had open, as stated in the first prompt to the model. */
export function folderInPrompt(history: readonly Json[]): string | undefined {
  const [first] = history;
  for (const block of blocksOf(asObject(first).content)) {
    const found = /# Current (?:Working|Workspace) Directory \(([^\n]{1,4096}?)\) Files/.exec(
      asString(block.text) ?? "",
    );
    if (found) return found[1];
  }
  return undefined;
}
