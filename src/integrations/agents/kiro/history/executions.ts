/**
 * The steps of an answer of Kiro's editor before its version 1. A session names the execution that answered; its steps
 * are in a file of their own, in a folder named after a hash of the workspace.
 */
import { hash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type Json, type JsonObject } from "../../../../kernel/json.ts";
import { textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { fileContainer, stampedCache, walkFiles } from "../../../history/reading/files.ts";
import { firstBytes } from "../../../history/reading/sqlite_files.ts";
import { readSideJson } from "../../../history/reading/whole_json.ts";

/** The folder with the executions of a workspace. */
export function executionsFolder(storage: string, workspace: string): string {
  return join(storage, hash("sha256", workspace, "hex").slice(0, 32));
}

/** Changes whenever one of the executions of a workspace does. */
export function executionsStamp(folder: string): string {
  const stamps = executionFiles(folder).map((path) => fileContainer("", path)?.stamp);
  return hash("sha1", stamps.join("+"), "base64").slice(0, 12);
}

/** The files of executions have no extension. They are one folder down. */
function executionFiles(folder: string): string[] {
  return walkFiles(folder, 1, (name, path) => !name.includes(".") && dirname(path) !== folder);
}

const ID = /^\s*\{\s*"executionId"\s*:\s*"([^"]{1,100})"/;
const HEAD_BYTES = 300;

const executionIds = stampedCache<string | undefined>();

/** Executions by their ids, each with its path. */
export function executionPaths(folder: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of executionFiles(folder)) {
    const id = executionIds(path, fileContainer("", path)?.stamp ?? "", () => idIn(path));
    if (id !== undefined) found.set(id, path);
  }
  return found;
}

/** It is the first field of the file, which may be large. */
function idIn(path: string): string | undefined {
  try {
    return ID.exec(firstBytes(path, HEAD_BYTES).toString("utf8"))?.[1];
  } catch {
    return undefined;
  }
}

/** The words and calls of an execution; empty if it cannot be read, or has neither. */
export function executionMessages(path: string, uid: string | undefined): Message[] {
  const actions = asArray(asObject(readSideJson(path)).actions).map(asObject);
  const parts = actions.flatMap(answerParts);
  return [
    ...unlessEmpty({ role: "assistant", parts, uid }),
    ...unlessEmpty({ role: "tool", parts: actions.flatMap(resultParts), uid: uid && `${uid}:tool` }),
  ];
}

const SAID = "say";

function answerParts(action: JsonObject): Part[] {
  const type = firstString(action, "actionType");
  if (type === SAID) return asList(textPart("text", asString(asObject(action.output).message)));
  if (type === undefined) return [];
  const id = firstString(action, "actionId");
  const [name, input] = callOf(type, asObject(action.input));
  return [defined({ type: "tool_call" as const, id, name, input })];
}

/** Changes of files have both contents. */
function callOf(type: string, input: JsonObject): [string, Json] {
  const file_path = firstString(input, "file");
  const [old_string, content] = [asString(input.originalContent), asString(input.modifiedContent)];
  if (type === "replace") return ["edit", defined({ file_path, old_string, new_string: content })];
  if (type === "create") return ["write", defined({ file_path, content })];
  return [type, input];
}

function resultParts(action: JsonObject): Part[] {
  const type = firstString(action, "actionType");
  const output = asString(asObject(action.output).message);
  if (type === undefined || type === SAID || output === undefined) return [];
  const [name] = callOf(type, {});
  return [defined({ type: "tool_result" as const, id: firstString(action, "actionId"), name, output })];
}

/** The workspace of a folder of sessions, which is named after its path. */
export function workspaceOf(folder: string): string {
  return Buffer.from(basename(folder).replace(/_+$/, ""), "base64url").toString("utf8");
}
