/** The messages of LangChain, as Deep Agents stores them. */
import { toolKind } from "../../../../conversations/activity/tools.ts";
import type { Message, Part } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asNumber, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { attachmentText, blocksOf, contentText, isAttachment, textPart } from "../../../history/building/blocks.ts";
import { toolCalls, userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { isSummary, type LoggedMessage } from "./message_log.ts";

/** `agentOf`: the conversation of the subagent that a node of the graph ran. */
export function messagesOf(
  source: string,
  logged: readonly LoggedMessage[],
  agentOf: (task: string) => string | undefined,
): Message[] {
  const names = new Map<string, string>();
  return logged.flatMap(({ record, time, task }) => {
    const common = { time, uid: asString(record.id) };
    switch (record.type) {
      case "human":
        return promptOf(record, common);
      case "ai": {
        const parts = answerParts(record);
        for (const part of parts) if (part.type === "tool_call" && part.id !== undefined) names.set(part.id, part.name);
        const model = firstString(asObject(record.response_metadata), "model_name", "model", "model_id");
        return unlessEmpty({ ...common, role: "assistant", parts, model, usage: usageOf(source, record) });
      }
      case "tool":
        return [defined<Message>({ ...common, role: "tool", parts: [resultOf(record, names, task && agentOf(task))] })];
      default:
        return [];
    }
  });
}

type Common = Pick<Message, "time" | "uid">;

/** Written by the agent in the role of the user: about its goals, or that the user stopped it. */
const OWN_WORDS = /^\[SYSTEM\]/;
const OWN_SOURCES = new Set(["goal_control", "goal_state", "goal_state_superseded", "rubric_grader"]);

function promptOf(record: JsonObject, common: Common): Message[] {
  const { content, additional_kwargs: more } = record;
  const text = textPart("text", contentText(content));
  if (isSummary(record)) return unlessEmpty({ ...common, role: "system", kind: "summary", parts: asList(text) });
  const isOwn = OWN_SOURCES.has(asString(asObject(more).lc_source) ?? "") || OWN_WORDS.test(contentText(content));
  if (isOwn) return unlessEmpty({ ...common, role: "system", parts: asList(text) });
  const skill = asObject(asObject(more).__skill);
  const name = firstString(skill, "name");
  if (name !== undefined) {
    const typed = `/skill:${name} ${firstString(skill, "args") ?? ""}`.trim();
    return [{ ...common, role: "user", parts: [{ type: "text", text: typed }] }];
  }
  const parts = userParts(content).map((part) =>
    part.type === "text" ? { ...part, text: typedText(part.text) } : part,
  );
  return unlessEmpty({ ...common, role: "user", parts });
}

/** The agent appends the content of each file that the prompt names. */
const FILES = "\n\n\n## Referenced Files\n\n\n### ";

function typedText(text: string): string {
  const at = text.indexOf(FILES);
  return at < 0 ? text : text.slice(0, at);
}

function answerParts(record: JsonObject): Part[] {
  const blocks = blocksOf(record.content);
  const calls = [...toolCalls(record.tool_calls), ...toolCalls(record.invalid_tool_calls)];
  const more = asObject(record.additional_kwargs);
  const reasoning = firstString(more, "reasoning_content") ?? summaryText(asObject(more.reasoning));
  return [...asList(textPart("thinking", reasoning)), ...blocks.flatMap(answerPart), ...calls];
}

/** Calls are among the blocks, too, in the form of each provider. */
function answerPart(block: JsonObject): Part[] {
  if (isAttachment(block)) return [{ type: "text", text: attachmentText(block) }];
  switch (block.type) {
    case "text":
    case "output_text":
      return asList(textPart(block.phase === "analysis" ? "thinking" : "text", asString(block.text)));
    case "thinking":
    case "reasoning":
      return asList(textPart("thinking", firstString(block, "thinking", "reasoning", "text") ?? summaryText(block)));
    default:
      return [];
  }
}

function summaryText({ summary }: JsonObject): string | undefined {
  const texts = asArray(summary).flatMap((each) => asList(firstString(asObject(each), "text")));
  return texts.length > 0 ? texts.join("\n\n") : undefined;
}

/** The line that ends the output of a command; one about truncated output may follow it. */
const EXIT = /\[Command (?:succeeded|failed) with exit code (-?\d{1,10})\](?:\n\[Output was truncated[^\n]*\])?$/;
const EXAMINED_CHARS = 300;

function resultOf(record: JsonObject, names: ReadonlyMap<string, string>, agent: string | undefined): Part {
  const id = firstString(record, "tool_call_id");
  const name = firstString(record, "name") ?? names.get(id ?? "");
  const output = contentText(record.content);
  const isShell = name !== undefined && toolKind(name) === "shell";
  const exit = isShell ? EXIT.exec(output.slice(-EXAMINED_CHARS).trimEnd())?.[1] : undefined;
  return defined({
    type: "tool_result" as const,
    id,
    name,
    output,
    is_error: record.status === "error" ? true : undefined,
    exit_code: exit === undefined ? undefined : Number(exit),
    agent,
  });
}

/** LangChain's counts: the input includes the cache, and the output the reasoning. */
function usageOf(source: string, record: JsonObject): Usage[] | undefined {
  const counts = asObject(record.usage_metadata);
  const read = asObject(counts.input_token_details);
  const written = [read.ephemeral_5m_input_tokens, read.ephemeral_1h_input_tokens].map((count) => asNumber(count) ?? 0);
  const lifetimes = written.reduce((sum, count) => sum + count, 0);
  const recorded = {
    input_tokens: counts.input_tokens,
    output_tokens: counts.output_tokens,
    cache_read_tokens: read.cache_read,
    // With lifetimes, LangChain counts the tokens there and nothing here.
    cache_write_tokens: Math.max(asNumber(read.cache_creation) ?? 0, lifetimes),
    cache_creation: { ephemeral_1h_input_tokens: read.ephemeral_1h_input_tokens },
    reasoning_tokens: asObject(counts.output_token_details).reasoning,
  };
  const id = asString(record.id);
  return requestUsage(
    recorded,
    { inputHasCache: true },
    defined({ id: id === undefined ? id : requestId(source, id) }),
  );
}
