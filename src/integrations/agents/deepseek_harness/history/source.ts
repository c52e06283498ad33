/** DeepSeek Harness: a log of events per session, compressed or plain. A child repeats the first events of its parent. */
import { basename, dirname } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { errorMessage } from "../../../../kernel/errors.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  type Json,
  type JsonObject,
} from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { parsedInput, userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { documentSource } from "../../../history/forms/document.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { zstdLines } from "../../../history/reading/zstd_lines.ts";
import type { ReadRequest, Source } from "../../../history/source.ts";
import { dshSessions } from "../integration.ts";

const ID = "deepseek_harness";
const COMPRESSED = "session.jsonl.zstd";

export const deepseekHarnessHistory: Source = documentSource({
  id: ID,
  places: (env) => [{ path: dshSessions(env), what: "sessions, in <project>/<session>" }],
  discover(env) {
    const found = walkFiles(dshSessions(env), 2, (name) => name === COMPRESSED || name === "session.jsonl");
    const compressed = new Set(found.filter((path) => path.endsWith(COMPRESSED)).map((path) => dirname(path)));
    return found
      .filter((path) => path.endsWith(COMPRESSED) || !compressed.has(dirname(path)))
      .flatMap((path) => asList(fileContainer(ID, path)));
  },
  read: (request) => [conversation(request, records(request))],
});

/** A file that is damaged at its end gives the records before the damage. */
function records({ container, sink }: ReadRequest): JsonObject[] {
  const { path } = container;
  const lines = path.endsWith(COMPRESSED) ? zstdLines(path) : undefined;
  const found: JsonObject[] = [];
  try {
    for (const { value } of readRecords(path, { sink, ...(lines ? { lines } : {}) })) found.push(value);
  } catch (error) {
    sink.malformed(path, errorMessage(error));
  }
  return found;
}

function conversation({ container }: ReadRequest, all: readonly JsonObject[]): WholeConversation {
  const header = all.find((record) => record.type === "session") ?? {};
  const id = firstString(header, "id") ?? basename(dirname(container.path));
  const inherited = asNumber(header.seedLength) ?? 0;
  const origin = asObject(header.origin);
  const parent =
    firstString(header, "parentSession", "parentId", "parentSessionId") ??
    firstString(origin, "sessionId", "parentId", "id");
  const own = all.filter(
    (record) => record.type !== "session" && (asNumber(record.seq) ?? Number.MAX_VALUE) >= inherited,
  );
  const titles = own.filter((record) => record.type === "session/title");
  const names = new Map<string, string>();
  return {
    meta: {
      id,
      title: titleFrom(firstString(asObject(titles.at(-1)?.data), "title")),
      project: firstString(header, "cwd"),
      created: toIso(header.createdAt),
      ...(parent === undefined || parent === id
        ? {}
        : { parent, parent_kind: (asNumber(header.delegationDepth) ?? 0) > 0 ? "subagent" : "fork" }),
    },
    messages: withUnfinished(own).flatMap((record) => messagesOf(record, names)),
  };
}

/** The records, with the pieces of an answer as one message where the message itself never came: the turn was stopped. */
function withUnfinished(records: readonly JsonObject[]): JsonObject[] {
  const found: JsonObject[] = [];
  let pieces: { time: Json | undefined; blocks: { type: string; text: string }[] } | undefined;
  const finish = (): void => {
    if (pieces) found.push({ type: "assistant/message", time: pieces.time ?? null, data: { content: pieces.blocks } });
    pieces = undefined;
  };
  for (const record of records) {
    const piece = pieceOf(record);
    if (piece) {
      pieces ??= { time: record.time, blocks: [] };
      const last = pieces.blocks.at(-1);
      if (last?.type === piece.type) last.text += piece.text;
      else pieces.blocks.push(piece);
      continue;
    }
    if (record.type === "assistant/message") pieces = undefined;
    else if (record.type === "user/message" || record.type === "turn/end") finish();
    found.push(record);
  }
  finish();
  return found;
}

/** A piece of a streamed text, alone or with the pieces after it. */
function pieceOf({ type, data }: JsonObject): { type: string; text: string } | undefined {
  const [, kind] = /^(?:chunkrow\/)?(text|reasoning)-chunks$/.exec(asString(type) ?? "") ?? [];
  if (kind !== undefined) return { type: kind, text: asArray(asObject(data).texts).map(String).join("") };
  const chunk = type === "assistant/chunk" ? asObject(asObject(data).chunk) : {};
  const [, streamed] = /^(text|reasoning)-delta$/.exec(asString(chunk.type) ?? "") ?? [];
  return streamed === undefined ? undefined : { type: streamed, text: firstString(chunk, "text", "delta") ?? "" };
}

function messagesOf(record: JsonObject, names: Map<string, string>): Message[] {
  const data = asObject(record.data);
  const message = data.message === undefined ? data : asObject(data.message);
  const common = { time: toIso(record.time), uid: firstString(message, "id") };
  const source = asObject(message.source ?? data.source);
  const blocks = asArray(message.content).map(asObject);
  switch (record.type) {
    case "user/message":
      return source.kind === "user" ? unlessEmpty({ ...common, role: "user", parts: userParts(message.content) }) : [];
    case "assistant/message":
      return unlessEmpty({
        ...common,
        role: "assistant",
        parts: blocks.flatMap((block) => answerPart(block, names)),
        model: firstString(source, "model"),
      });
    case "tool/result":
      return unlessEmpty({
        ...common,
        role: "tool",
        parts: blocks.filter((block) => block.type === "tool-result").map((block) => resultOf(block, names)),
      });
    default:
      return [];
  }
}

function answerPart(block: JsonObject, names: Map<string, string>): Part[] {
  if (block.type === "text") return asList(textPart("text", asString(block.text)));
  if (block.type === "reasoning") return asList(textPart("thinking", asString(block.text)));
  const name = firstString(block, "name");
  if (block.type !== "tool-call" || name === undefined) return [];
  const id = asString(block.id);
  if (id !== undefined) names.set(id, name);
  return [defined({ type: "tool_call" as const, id, name, input: parsedInput(block.arguments) })];
}

function resultOf(block: JsonObject, names: ReadonlyMap<string, string>): Part {
  const id = asString(block.toolCallId);
  return defined({
    type: "tool_result" as const,
    id,
    name: id === undefined ? undefined : names.get(id),
    output: contentText(block.content),
    is_error: block.isError === true ? true : undefined,
  });
}
