/**
 * The oldest form of Kiro's editor: a `.chat` file for each execution, in a folder named after a hash of the workspace.
 * Every execution repeats the conversation so far, so dex reads the one that has the most of it.
 */
import { basename, dirname } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { asArray, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { isHousekeeping, unwrapBlocks } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { wholeObject } from "../../../history/forms/document.ts";
import { fileContainer, listDir, stampedCache, walkFiles } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Container, ReadRequest } from "../../../history/source.ts";
import { executionsFolder, workspaceOf } from "./executions.ts";

const EXTENSION = ".chat";

export function isChatFile(path: string): boolean {
  return path.endsWith(EXTENSION);
}

export function chatFiles(source: string, storage: string): Container[] {
  return walkFiles(storage, 1, isChatFile).flatMap((path) => asList(fileContainer(source, path)));
}

/** `sessions`: the folder with the newer sessions, whose names say which workspaces there are. */
export function chatFile(request: ReadRequest, sessions: string): WholeConversation[] | undefined {
  const { path, source } = request.container;
  const document = wholeObject(request);
  if (!document) return undefined;
  const own = extentOf(document, path);
  const longer = walkFiles(dirname(path), 0, isChatFile).some((other) => {
    if (other === path) return false;
    const extent = extents(other, fileContainer(source, other)?.stamp ?? "", () =>
      extentOf(asObject(readSideJson(other)), other),
    );
    const isLonger = extent.turns > own.turns || (extent.turns === own.turns && other > path);
    return extent.id === own.id && isLonger;
  });
  if (longer) return [];
  const metadata = asObject(document.metadata);
  const model = firstString(metadata, "modelId");
  const storage = dirname(dirname(path));
  return [
    {
      meta: {
        id: own.id,
        project: listDir(sessions)
          .map(({ name }) => workspaceOf(name))
          .find((workspace) => executionsFolder(storage, workspace) === dirname(path)),
        created: toIso(metadata.startTime),
        updated: toIso(metadata.endTime),
        ...(model === undefined ? {} : { model }),
      },
      messages: asArray(document.chat).flatMap((each) => messagesOf(asObject(each), model)),
    },
  ];
}

interface Extent {
  id: string;
  turns: number;
}

const extents = stampedCache<Extent>();

function extentOf({ metadata, chat }: JsonObject, path: string): Extent {
  const workflow = firstString(asObject(metadata), "workflowId");
  return { id: workflow ?? basename(path, EXTENSION), turns: asArray(chat).length };
}

/** Instructions of the program, in the role of the person, and its answer to them. */
const PROGRAM = /^(?:# System Prompt|# Identity|<identity>|## Included Rules|You are operating in a workspace)/;
const AGREED = "I will follow these instructions.";

function messagesOf({ role, content }: JsonObject, model: string | undefined): Message[] {
  const text = asString(content)?.trim() ?? "";
  switch (role) {
    case "human": {
      const typed = unwrapBlocks(text, "kiro-ide-message");
      if (PROGRAM.test(typed) || isHousekeeping(typed)) return [];
      return unlessEmpty({ role: "user", parts: asList(textPart("text", typed)) });
    }
    case "bot":
      if (text === AGREED) return [];
      return unlessEmpty({ role: "assistant", model, parts: asList(textPart("text", text)) });
    case "tool":
      return text === "" ? [] : [{ role: "tool", parts: [{ type: "tool_result", output: text }] }];
    default:
      return [];
  }
}
