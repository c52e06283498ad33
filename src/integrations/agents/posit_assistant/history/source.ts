/**
 * Posit Assistant: a folder per conversation. `conversation.json` has the tree of its messages, with a mark on those of
 * the current branch; what they say is in `lm-messages.jsonl`, by number.
 */
import { basename, dirname, join } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { requestId } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, isObject, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { attachmentText, blocksOf, contentText, isAttachment, textPart } from "../../../history/building/blocks.ts";
import { userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage } from "../../../history/building/usage.ts";
import { stripBlocks, titleFrom } from "../../../history/building/wrappers.ts";
import type { AbandonedBranch, WholeConversation } from "../../../history/forms/conversation.ts";
import { documentSource, wholeObject, withSideFiles } from "../../../history/forms/document.ts";
import { walkFiles } from "../../../history/reading/files.ts";
import { readRecords } from "../../../history/reading/jsonl.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { ReadRequest, Sink, Source } from "../../../history/source.ts";
import { positWorkspaces } from "../integration.ts";

const ID = "posit_assistant";
const DOCUMENT = "conversation.json";
const SAID = "lm-messages.jsonl";
const SUBAGENTS = "subagents";
/** `<workspace>/<conversation>/subagents/<conversation>` */
const MAX_DEPTH = 4;
const NOISE = ["MESSAGESUMMARY"];

export const positAssistantHistory: Source = documentSource({
  id: ID,
  places: ({ home }) => [{ path: positWorkspaces(home), what: "conversations, in <workspace>/<conversation>" }],
  discover: ({ home }) =>
    walkFiles(positWorkspaces(home), MAX_DEPTH, (name) => name === DOCUMENT).flatMap((path) =>
      withSideFiles(ID, path, [join(dirname(path), SAID)]),
    ),
  read(request) {
    const document = wholeObject(request);
    return document && [conversation(document, request)];
  },
});

function conversation(document: JsonObject, { container: { path }, sink }: ReadRequest): WholeConversation {
  const folder = dirname(path);
  const root = asObject(document.root);
  const metadata = asObject(root.metadata);
  const id = firstString(root, "id") ?? basename(folder);
  const isSubagent = basename(dirname(folder)) === SUBAGENTS;
  const started = isSubagent ? dirname(dirname(folder)) : folder;
  const parent = firstString(metadata, "parentTreeId") ?? (isSubagent ? basename(started) : undefined);
  const workspace = asObject(readSideJson(join(dirname(started), "workspace.json")));
  return {
    meta: {
      id,
      title: titleFrom(asString(root.title)),
      project: firstString(workspace, "path"),
      branch: firstString(metadata, "gitBranch"),
      model: firstString(asObject(metadata.model), "id"),
      created: toIso(root.timestamp),
      ...(parent === undefined || parent === id ? {} : { parent, parent_kind: "subagent" }),
    },
    ...branches(asArray(document.messages).map(asObject), saidIn(join(folder, SAID), sink), id),
  };
}

/** The words of the messages, by number. */
function saidIn(path: string, sink: Sink): ReadonlyMap<number, JsonObject> {
  const said = new Map<number, JsonObject>();
  for (const { value } of readRecords(path, { sink })) {
    if (typeof value.id === "number" && isObject(value.message)) said.set(value.id, value.message);
  }
  return said;
}

/** The messages of the current branch, and of each branch that leaves it. */
function branches(
  nodes: readonly JsonObject[],
  said: ReadonlyMap<number, JsonObject>,
  conversation: string,
): Pick<WholeConversation, "messages" | "abandoned" | "rejoined"> {
  const names = new Map<string, string>();
  const messages: Message[] = [];
  const abandoned: AbandonedBranch[] = [];
  /** The branches that a node which was left belongs to. */
  const left = new Map<string, Message[]>();
  const forked = new Set<string>();
  for (const node of nodes) {
    const id = firstString(node, "id");
    const own = asArray(node.lmMessageIds).flatMap((number) => {
      const message = said.get(Number(number));
      return message ? saidMessages(message, node, `${id}:${number}`, conversation, names) : [];
    });
    if (node.isActive !== false || id === undefined) {
      messages.push(...own);
      continue;
    }
    const parent = firstString(node, "parentId") ?? "";
    forked.add(parent);
    const branch = left.get(parent) ?? [];
    if (!left.has(parent)) abandoned.push({ key: id, messages: branch });
    branch.push(...own);
    left.set(id, branch);
  }
  const rejoined = nodes.filter((node) => node.isActive !== false && forked.has(firstString(node, "parentId") ?? ""));
  return { messages, abandoned, rejoined: rejoined.flatMap((node) => asList(firstString(node, "id"))) };
}

function saidMessages(
  message: JsonObject,
  node: JsonObject,
  uid: string,
  conversation: string,
  names: Map<string, string>,
): Message[] {
  // The facts are under the name of the provider.
  const [facts = {}] = Object.values(asObject(asObject(message.providerOptions).providerMetadata)).map(asObject);
  const time = toIso(facts.timestamp) ?? toIso(node.timestamp);
  switch (message.role) {
    case "user":
      return unlessEmpty({ role: "user", time, uid, parts: userParts(message.content) });
    case "assistant": {
      const parts = blocksOf(message.content).flatMap((block) => answerPart(block, names));
      const usage = requestUsage(facts.usage, {}, defined({ id: requestId(ID, conversation, uid) }));
      return unlessEmpty({ role: "assistant", time, uid, model: firstString(facts, "modelId"), parts, usage });
    }
    case "tool":
      return unlessEmpty({
        role: "tool",
        time,
        uid,
        parts: blocksOf(message.content)
          .filter((block) => block.type === "tool-result")
          .map((block) => resultOf(block, names)),
      });
    default:
      return [];
  }
}

function answerPart(block: JsonObject, names: Map<string, string>): Part[] {
  if (block.type === "text") return asList(textPart("text", stripBlocks(asString(block.text) ?? "", NOISE)));
  if (block.type === "reasoning") return asList(textPart("thinking", asString(block.text)));
  if (isAttachment(block)) return [{ type: "text", text: attachmentText(block) }];
  const name = firstString(block, "toolName");
  if (block.type !== "tool-call" || name === undefined) return [];
  const id = asString(block.toolCallId);
  if (id !== undefined) names.set(id, name);
  return [defined({ type: "tool_call" as const, id, name, input: block.input ?? {} })];
}

function resultOf(block: JsonObject, names: ReadonlyMap<string, string>): Part {
  const id = asString(block.toolCallId);
  const output = asObject(block.output);
  return defined({
    type: "tool_result" as const,
    id,
    name: firstString(block, "toolName") ?? names.get(id ?? ""),
    output: contentText(output.value ?? block.output),
    is_error: asString(output.type)?.startsWith("error") ? true : undefined,
  });
}
