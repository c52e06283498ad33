/** The parts of an answer as VS Code showed them: pieces of Markdown with references between them, thinking, tools. */
import type { Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
} from "../../../../kernel/json.ts";
import { folderOfUri, windowsPath } from "../../../history/folders.ts";

export function shownParts(response: readonly Json[]): Part[] {
  const parts: Part[] = [];
  const write = (text: string): void => {
    const last = parts.at(-1);
    if (text === "") return;
    // A sentence is split where it refers to a file.
    if (last?.type === "text") last.text += text;
    else parts.push({ type: "text", text });
  };
  for (const each of response) {
    const part = asObject(each);
    if (typeof each === "string") write(each);
    else if (part.kind === undefined) write(asString(part.value) ?? "");
    else if (part.kind === "markdownContent") write(asString(asObject(part.content).value) ?? "");
    else if (part.kind === "inlineReference") write(referenceText(part));
    else if (part.kind === "thinking") parts.push({ type: "thinking", text: thinkingText(part.value) });
    else if (part.kind === "toolInvocationSerialized") parts.push(...toolParts(part));
    else if (part.kind === "textEditGroup") parts.push(editOf(part));
  }
  return parts.filter((part) => !("text" in part) || part.text.trim() !== "");
}

function thinkingText(value: Json | undefined): string {
  return Array.isArray(value) ? value.map((each) => asString(each) ?? "").join("") : (asString(value) ?? "");
}

function referenceText(part: JsonObject): string {
  const reference = asObject(part.inlineReference);
  return (
    firstString(part, "name") ??
    firstString(reference, "name") ??
    pathOf(reference.uri ?? asObject(reference.location).uri ?? reference)
  );
}

function pathOf(value: Json | undefined): string {
  const uri = asObject(value);
  const path = firstString(uri, "fsPath", "path");
  return (path === undefined ? folderOfUri(asString(value)) : windowsPath(path)) ?? "";
}

function toolParts(part: JsonObject): Part[] {
  const data = asObject(part.toolSpecificData);
  const id = asString(part.toolCallId);
  const name = firstString(part, "toolId") ?? "tool";
  const details = asObject(part.resultDetails);
  const call = defined({ type: "tool_call" as const, id, name, input: inputOf(part, data, details) });
  const output = outputOf(data, details);
  const exit_code = asNumber(asObject(data.terminalCommandState).exitCode);
  const failed = details.isError === true || part.resultError !== undefined;
  if (output === "" && exit_code === undefined && !failed) return [call];
  const is_error = failed ? true : undefined;
  return [call, defined({ type: "tool_result" as const, id, name, output, is_error, exit_code })];
}

function inputOf(part: JsonObject, data: JsonObject, details: JsonObject): Json {
  const line = asObject(data.commandLine);
  const command = firstString(line, "userEdited", "toolEdited", "original") ?? firstString(data, "command");
  if (command !== undefined) return defined({ command, cwd: pathOf(data.cwd) || undefined });
  if (isObject(data.rawInput)) return data.rawInput;
  if (data.kind === "subagent")
    return defined({ description: asString(data.description), prompt: asString(data.prompt) });
  const given = asString(details.input);
  if (given !== undefined) return { input: given };
  const message = part.pastTenseMessage ?? part.invocationMessage;
  return { message: asString(message) ?? asString(asObject(message).value) ?? "" };
}

function outputOf(data: JsonObject, details: JsonObject): string {
  const terminal = firstString(asObject(data.terminalCommandOutput), "text");
  const listed = asArray(details.output).map((item) => asString(asObject(item).value) ?? "");
  return terminal ?? firstString(data, "result") ?? listed.filter((text) => text !== "").join("\n");
}

function editOf(part: JsonObject): Part {
  const edits = asArray(part.edits)
    .flatMap((group) => asArray(group))
    .map(asObject);
  const text = edits.map((edit) => asString(edit.text) ?? "").join("\n");
  return { type: "tool_call", name: "edit", input: { file_path: pathOf(part.uri), new_string: text } };
}
