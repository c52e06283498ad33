/**
 * QwenPaw: a JSON document per session with the memory of the agent, rewritten at every turn. Messages are in
 * Anthropic's form; the system brings the results of tools.
 */
import { basename, dirname, relative, sep } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { asArray, asObject, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { assistantParts, blocksOf, resultPart } from "../../../history/building/blocks.ts";
import { userParts } from "../../../history/building/chat.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { documentSource, wholeObject } from "../../../history/forms/document.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import type { Source, SourceEnv } from "../../../history/source.ts";
import { pawWorkspaces } from "../integration.ts";

const ID = "qwenpaw";
const SESSIONS = "sessions";
/** `<workspace>/sessions/<channel>/<session>.json`, or without a channel. */
const MAX_DEPTH = 3;

export const qwenpawHistory: Source = documentSource({
  id: ID,
  places: ({ home }) => pawWorkspaces(home).map((path) => ({ path, what: "sessions, in <workspace>/sessions" })),
  discover: ({ home }) => sessionFiles(home).flatMap((path) => asList(fileContainer(ID, path))),
  read(request) {
    const document = wholeObject(request);
    if (!document) return undefined;
    const memory = asObject(asObject(document.agent).memory);
    const names = new Map<string, string>();
    const messages = asArray(memory.content).flatMap((entry) => messagesOf(asObject(asArray(entry)[0]), names));
    return [conversation(request.container.path, messages, request.env)];
  },
});

function sessionFiles(home: string): string[] {
  return pawWorkspaces(home).flatMap((workspaces) =>
    walkFiles(workspaces, MAX_DEPTH, (name, path) => {
      const [, folder] = relative(workspaces, path).split(sep);
      return name.endsWith(".json") && folder === SESSIONS;
    }),
  );
}

/** The same name may be in several workspaces and channels. */
function conversation(path: string, messages: Message[], { home }: SourceEnv): WholeConversation {
  const workspaces = pawWorkspaces(home).find((folder) => path.startsWith(folder + sep)) ?? dirname(path);
  const folders = relative(workspaces, dirname(path)).split(sep);
  const id = [...folders.filter((folder) => folder !== SESSIONS), basename(path, ".json")].join(".");
  return { meta: { id }, messages };
}

function messagesOf(record: JsonObject, names: Map<string, string>): Message[] {
  // Times have no zone: they are local.
  const common = { time: toIso(record.timestamp), uid: firstString(record, "id") };
  const blocks = blocksOf(record.content);
  switch (record.role) {
    case "user":
      return unlessEmpty({ ...common, role: "user", parts: userParts(record.content) });
    case "assistant": {
      const parts = assistantParts(blocks);
      for (const part of parts) if (part.type === "tool_call" && part.id !== undefined) names.set(part.id, part.name);
      return unlessEmpty({ ...common, role: "assistant", parts });
    }
    case "system":
      return unlessEmpty({
        ...common,
        role: "tool",
        parts: blocks
          .filter((block) => block.type === "tool_result")
          .map((block) =>
            resultPart({ ...block, content: block.output ?? block.content ?? "" }, (id) => names.get(id)),
          ),
      });
    default:
      return [];
  }
}
