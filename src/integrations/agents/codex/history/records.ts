/** How each kind of record of a Codex rollout is read. */
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type JsonObject,
  parseJson,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import {
  addAnswer,
  addCall,
  addMessage,
  addPrompt,
  addResult,
  addThinking,
  EVENT,
  endTurn,
  ITEM,
  isAppended,
  isFirstRecord,
  learnName,
  markAppended,
  nameOfCall,
  type Reading,
  type RecordForm,
  readMeta,
  readTurnContext,
  rollBack,
  startTurn,
} from "./reading.ts";
import {
  agentMessage,
  answerText,
  contentTexts,
  foundTools,
  isSame,
  toolName,
  toolOutput,
  userShell,
  withCode,
} from "./text.ts";
import { readTokens } from "./usage.ts";

/** Lines without anything that a conversation needs; other records repeat their texts. */
const SKIPPED_LINE =
  /^\{"timestamp":"[^"]{10,40}",(?:"ordinal":\d+,)?"type":"(?:event_msg","payload":\{"type":"(?:exec_command_end|mcp_tool_call_end|collab_\w+)"|world_state"|response_item","payload":\{"type":"message","role":"developer"|compacted","payload":\{"message":"","replacement_history")/;

/** The line is complete and can be skipped, and no other record follows it without a line break. */
export function canSkip(line: string): boolean {
  return SKIPPED_LINE.test(line) && line.endsWith("}") && !line.includes('}{"timestamp"');
}

export function readRecord(reading: Reading, record: JsonObject): void {
  const { transcript } = reading;
  const payload = isObject(record.payload) ? record.payload : undefined;
  reading.time = toIso(record.timestamp);
  reading.turn = payload && asString(asObject(payload.internal_chat_message_metadata_passthrough).turn_id);
  if (!payload) {
    readBare(reading, record);
    return;
  }
  if (record.type === "session_meta") {
    readMeta(reading, payload, record.timestamp);
    return;
  }
  const ordinal = asNumber(record.ordinal);
  if (ordinal !== undefined && ordinal < (transcript.state.ownFrom ?? 0)) return;
  const kind = asString(payload.type) ?? "";
  if (record.type === "response_item") readItem(reading, payload, kind);
  else if (record.type === "event_msg") EVENTS.get(kind)?.(reading, payload);
  else if (record.type === "turn_context") readTurnContext(reading, payload);
  else if (record.type === "compacted") readCompacted(reading, payload);
  else if (record.type === "inter_agent_communication") readAgentMessage(reading, payload, EVENT);
  else if (record.type === "history_mutation") readAppended(reading, payload);
}

function readItem(reading: Reading, item: JsonObject, kind: string): void {
  if (!isAppended(reading, callId(item))) ITEMS.get(kind)?.(reading, item);
}

/** TRAE CLI: items appended to the model's history, some of which are response items as well; `replace` repeats old ones. */
function readAppended(reading: Reading, payload: JsonObject): void {
  if (payload.operation !== "append") return;
  for (const item of asArray(payload.items).map(asObject)) {
    const id = callId(item);
    const kind = asString(item.type) ?? "";
    if (id !== undefined && kind.includes("_call")) {
      if (nameOfCall(reading, id) !== undefined && !isAppended(reading, id)) continue;
      markAppended(reading, id);
    }
    ITEMS.get(kind)?.(reading, item);
  }
}

/** Before 0.32 there was no envelope: the first line is the meta, every other line an item. */
function readBare(reading: Reading, record: JsonObject): void {
  const kind = asString(record.type);
  if (kind !== undefined) ITEMS.get(kind)?.(reading, record);
  else if (asString(record.id) !== undefined) readMeta(reading, record, record.timestamp);
}

function callId(item: JsonObject): string | undefined {
  return firstString(item, "call_id", "id");
}

type Reader = (reading: Reading, payload: JsonObject) => void;

/** A map, because a type may have any name, even `constructor`. */
function readers(table: Record<string, Reader>): ReadonlyMap<string, Reader> {
  return new Map(Object.entries(table));
}

const readOutput: Reader = (reading, item) => {
  const output = toolOutput(item.output);
  const id = callId(item);
  const agent = nameOfCall(reading, id) === "spawn_agent" ? spawnedAgent(output.output) : undefined;
  addResult(reading, id, agent === undefined ? output : { ...output, agent });
};

const ITEMS = readers({
  message(reading, item) {
    const { texts, images } = contentTexts(item.content);
    if (item.role === "assistant") addAnswer(reading, ITEM, texts.join(""));
    if (item.role !== "user" || reading.dialect === "trae") return;
    const shell = userShell(texts[0] ?? "");
    if (!shell) {
      addPrompt(reading, ITEM, texts, images);
      return;
    }
    addMessage(reading, "user", [{ type: "text", text: `!${shell.command}` }]);
    addResult(reading, undefined, { name: "user_shell", ...toolOutput(shell.output) });
  },
  reasoning(reading, item) {
    addThinking(
      reading,
      ITEM,
      [...asArray(item.summary), ...asArray(item.content)].map((each) => asString(asObject(each).text)),
    );
  },
  function_call(reading, item) {
    const raw = item.arguments;
    const name = toolName(firstString(item, "name") ?? "unknown", asString(item.namespace));
    addCall(reading, callId(item), name, (typeof raw === "string" ? parseJson(raw) : undefined) ?? raw ?? null);
  },
  function_call_output: readOutput,
  custom_tool_call(reading, item) {
    const input = typeof item.input === "string" ? { input: item.input } : (item.input ?? null);
    addCall(reading, callId(item), toolName(firstString(item, "name") ?? "unknown", asString(item.namespace)), input);
  },
  custom_tool_call_output: readOutput,
  local_shell_call(reading, item) {
    addCall(reading, callId(item), "local_shell", item.action ?? null);
  },
  local_shell_call_output: readOutput,
  web_search_call(reading, item) {
    webSearch(reading, ITEM, asObject(item.action));
  },
  tool_search_call(reading, item) {
    addCall(reading, callId(item), "tool_search", item.arguments ?? null);
  },
  tool_search_output(reading, item) {
    addResult(reading, callId(item), { output: foundTools(item.tools) });
  },
  image_generation_call(reading, item) {
    addCall(reading, callId(item), "image_generation", { prompt: asString(item.revised_prompt) ?? "" });
    addResult(reading, callId(item), { output: "[image]" });
  },
  agent_message(reading, item) {
    readAgentMessage(reading, item, ITEM);
  },
});

const EVENTS = readers({
  user_message(reading, event) {
    addPrompt(reading, EVENT, [asString(event.message) ?? ""]);
  },
  agent_message(reading, event) {
    addAnswer(reading, EVENT, asString(event.message) ?? "");
  },
  agent_reasoning(reading, event) {
    addThinking(reading, EVENT, [asString(event.text)]);
  },
  agent_reasoning_raw_content(reading, event) {
    addThinking(reading, EVENT, [asString(event.text)]);
  },
  web_search_end(reading, event) {
    webSearch(reading, EVENT, isObject(event.action) ? event.action : { type: "search", query: event.query });
  },
  patch_apply_end(reading, event) {
    const patched = reading.transcript.findLast((part) => part.type === "tool_call" && part.id === event.call_id);
    const files = Object.keys(asObject(event.changes));
    if (patched?.type === "tool_call" && files.length > 0) patched.files ??= files;
  },
  item_completed(reading, event) {
    const item = asObject(event.item);
    reading.turn ??= asString(event.turn_id);
    COMPLETED.get(asString(item.type) ?? "")?.(reading, item);
  },
  thread_name_updated(reading, event) {
    const about = asString(event.thread_id);
    if (about === undefined || about === reading.transcript.state.id) learnName(reading, asString(event.thread_name));
  },
  token_count: readTokens,
  thread_rolled_back(reading, event) {
    rollBack(reading, asNumber(event.num_turns) ?? 0);
  },
  task_started: taskStarted,
  turn_started: taskStarted,
  task_complete: taskComplete,
  turn_complete: taskComplete,
  turn_aborted: endTurn,
});

/** Items of paginated histories. They describe the work of a tool only if no response item called it. */
const COMPLETED = readers({
  UserMessage(reading, item) {
    const { texts, images } = contentTexts(item.content);
    addPrompt(reading, EVENT, [texts.join("")], texts.length > 0 ? 0 : images);
  },
  AgentMessage(reading, item) {
    addAnswer(reading, EVENT, contentTexts(item.content).texts.join(""));
  },
  Plan(reading, item) {
    addAnswer(reading, EVENT, asString(item.text) ?? "");
  },
  Reasoning(reading, item) {
    addThinking(reading, EVENT, [...asArray(item.summary_text), ...asArray(item.raw_content)].map(asString));
  },
  WebSearch(reading, item) {
    webSearch(reading, EVENT, asObject(item.action));
  },
  CommandExecution(reading, item) {
    const id = asString(item.id);
    if (nameOfCall(reading, id) !== undefined) return;
    addCall(reading, id, "exec_command", defined({ cmd: item.command, workdir: item.cwd }));
    const code = asNumber(item.exit_code);
    const output = firstString(item, "aggregated_output", "formatted_output", "stdout") ?? "";
    addResult(reading, id, withCode(output, code));
  },
  FileChange(reading, item) {
    const id = asString(item.id);
    const files = Object.keys(asObject(item.changes));
    if (nameOfCall(reading, id) === undefined && files.length > 0) addCall(reading, id, "apply_patch", { files });
  },
  McpToolCall(reading, item) {
    const id = asString(item.id);
    if (nameOfCall(reading, id) !== undefined) return;
    addCall(reading, id, `mcp__${asString(item.server) ?? ""}__${asString(item.tool) ?? ""}`, item.arguments ?? null);
    const failure = asString(asObject(item.error).message);
    addResult(reading, id, failure === undefined ? toolOutput(item.result) : { output: failure, is_error: true });
  },
});

function spawnedAgent(output: string): string | undefined {
  return firstString(asObject(parseJson(output)), "agent_id", "thread_id");
}

function taskStarted(reading: Reading, event: JsonObject): void {
  const turn = asString(event.turn_id);
  if (turn !== undefined && turn !== reading.transcript.state.turn) startTurn(reading, turn);
}

/** Repeats the last answer, which may be recorded nowhere else. */
function taskComplete(reading: Reading, event: JsonObject): void {
  const last = answerText(asString(event.last_agent_message) ?? "").text;
  if (last !== "" && !isSame(reading.transcript.state.lastAnswer ?? "", last)) addAnswer(reading, EVENT, last);
  endTurn(reading);
}

function webSearch(reading: Reading, form: RecordForm, action: JsonObject): void {
  const input = action.type === "other" ? {} : action;
  if (isFirstRecord(reading, form, "web", JSON.stringify(input))) addCall(reading, undefined, "web_search", input);
}

function readCompacted(reading: Reading, compacted: JsonObject): void {
  const summary = asString(compacted.message)?.trim() ?? "";
  if (summary !== "") addMessage(reading, "system", [{ type: "text", text: summary }], { kind: "summary" });
}

/** A task from the parent agent is this agent's prompt; a message from a subagent, or to the root, is a result. */
function readAgentMessage(reading: Reading, item: JsonObject, form: RecordForm): void {
  const { kind, text } = agentMessage(contentTexts(item.content).texts.join("").trim());
  if (text === "") return;
  if (kind !== "FINAL_ANSWER" && item.recipient !== "/root") addPrompt(reading, form, [text]);
  else if (isFirstRecord(reading, form, "agent", text)) addResult(reading, undefined, { name: "agent", output: text });
}
