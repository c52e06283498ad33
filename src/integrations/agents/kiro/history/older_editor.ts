/** Sessions of Kiro's editor before version 1: a document each, in the editor's own storage, by encoded folder. */
import { basename, dirname, join } from "node:path";
import { asArray, asObject, asString, firstString, isObject, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { chatMessages } from "../../../history/building/chat.ts";
import { titleFrom } from "../../../history/building/wrappers.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { wholeObject, withSideFiles } from "../../../history/forms/document.ts";
import { walkFiles } from "../../../history/reading/files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";
import type { Container, ReadRequest } from "../../../history/source.ts";

const LIST = "sessions.json";

export function olderSessions(source: string, folder: string): Container[] {
  const found = walkFiles(folder, 1, (name) => name.endsWith(".json") && name !== LIST);
  return found.flatMap((path) => withSideFiles(source, path, [join(dirname(path), LIST)]));
}

/** The steps of an answer are in files of their own, which dex does not read: the document has what was said. */
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
      messages: asArray(document.history).flatMap((entry) => {
        const message = asObject(asObject(entry).message);
        const uid = firstString(message, "id");
        return chatMessages(message).map((each) => (uid === undefined ? each : { ...each, uid }));
      }),
    },
  ];
}

function listedSession(list: string, id: string): JsonObject {
  return (
    asArray(readSideJson(list))
      .filter(isObject)
      .find((each) => each.sessionId === id) ?? {}
  );
}
