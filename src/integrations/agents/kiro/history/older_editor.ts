/**
 * Sessions of Kiro's editor before version 1: a document each, in the editor's own storage, by encoded folder. Of an
 * answer, the document often has only a few words: its steps are in the files of executions.
 */
import { basename, dirname, join } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { asArray, asObject, asString, firstString, isObject, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { chatMessages } from "../../../history/building/chat.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { wholeObject, withSideFiles } from "../../../history/forms/document.ts";
import { walkFiles } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Container, ReadRequest } from "../../../history/source.ts";
import { executionMessages, executionPaths, executionsFolder, executionsStamp, workspaceOf } from "./executions.ts";

const LIST = "sessions.json";

export function olderSessions(source: string, folder: string): Container[] {
  const found = walkFiles(folder, 1, (name) => name.endsWith(".json") && name !== LIST);
  const steps = new Map<string, string>();
  const stepsStamp = (path: string): string => {
    const executions = stepsOf(path);
    const known = steps.get(executions) ?? executionsStamp(executions);
    steps.set(executions, known);
    return known;
  };
  return found.flatMap((path) =>
    withSideFiles(source, path, [join(dirname(path), LIST)]).map((container) => ({
      ...container,
      stamp: `${container.stamp}+${stepsStamp(path)}`,
    })),
  );
}

function stepsOf(path: string): string {
  const workspace = dirname(path);
  return executionsFolder(dirname(dirname(workspace)), workspaceOf(workspace));
}

export function olderSession(request: ReadRequest): WholeConversation[] | undefined {
  const { path } = request.container;
  const document = wholeObject(request);
  if (document === undefined) return undefined;
  const id = firstString(document, "sessionId") ?? basename(path, ".json");
  const listed = listedSession(join(dirname(path), LIST), id);
  return [
    {
      meta: {
        id,
        title: titleFrom(firstString(document, "title") ?? asString(listed.title)),
        project: firstString(document, "workspaceDirectory") ?? firstString(listed, "workspaceDirectory"),
        created: toIso(Number(listed.dateCreated) || listed.dateCreated),
        model: firstString(document, "selectedModel"),
      },
      messages: messagesOf(asArray(document.history).map(asObject), executionPaths(stepsOf(path))),
    },
  ];
}

/** `executions`: the paths of executions that have not answered yet. */
function messagesOf(history: readonly JsonObject[], executions: ReadonlyMap<string, string>): Message[] {
  const left = new Map(executions);
  return history.flatMap((entry) => {
    const message = asObject(entry.message);
    const uid = firstString(message, "id");
    const said = chatMessages(message).map((each) => (uid === undefined ? each : { ...each, uid }));
    const execution = asString(entry.executionId) ?? "";
    const path = message.role === "assistant" ? left.get(execution) : undefined;
    if (path === undefined) return said;
    left.delete(execution);
    const done = executionMessages(path, uid);
    const answered = done.some(({ parts }) => parts.some((part) => part.type === "text"));
    return answered ? done : [...said, ...done];
  });
}

function listedSession(list: string, id: string): JsonObject {
  return (
    asArray(readSideJson(list))
      .filter(isObject)
      .find((each) => each.sessionId === id) ?? {}
  );
}
