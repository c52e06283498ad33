/**
 * Windsurf: its own history is encrypted. With a hook turned on, it also writes each conversation as a file of steps,
 * whole after every answer. Steps have no times and no folder.
 */
import { basename } from "node:path";
import type { Message, Part } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asNumber, asObject, asString, firstString, type JsonObject } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { isHousekeeping } from "../../../history/building/wrappers.ts";
import { parentFolder, sharedFolder } from "../../../history/folders.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { allRecords, documentSource } from "../../../history/forms/document.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import type { ReadRequest, Source } from "../../../history/source.ts";
import { windsurfTranscripts } from "../integration.ts";

const ID = "windsurf";
const OUTPUTS = ["output", "result", "stdout", "results", "content", "diagnostics"];
const EXIT_CODES = ["exit_code", "exitCode"];

export const windsurfHistory: Source = documentSource({
  id: ID,
  places: ({ home }) => [
    { path: windsurfTranscripts(home), what: "transcripts that Windsurf's transcript hook writes" },
  ],
  discover: ({ home }) =>
    walkFiles(windsurfTranscripts(home), 0, (name) => name.endsWith(".jsonl")).flatMap((path) =>
      asList(fileContainer(ID, path)),
    ),
  read: (request) => [conversation(request)],
});

function conversation(request: ReadRequest): WholeConversation {
  const { path, mtimeMs } = request.container;
  const steps = allRecords(request);
  return {
    meta: { id: basename(path, ".jsonl"), project: folderOf(steps), updated: toIso(mtimeMs), created: toIso(mtimeMs) },
    messages: steps.flatMap(messagesOf),
  };
}

/** The folder that the paths of all steps share. */
function folderOf(steps: readonly JsonObject[]): string | undefined {
  return sharedFolder(
    steps.flatMap((step) => {
      const data = asObject(step[asString(step.type) ?? ""]);
      const path = firstString(data, "path");
      return asList(firstString(data, "cwd") ?? (path && parentFolder(path)));
    }),
  );
}

function messagesOf(step: JsonObject): Message[] {
  const type = asString(step.type) ?? "";
  const data = asObject(step[type]);
  switch (type) {
    case "user_input": {
      const typed = firstString(data, "user_response", "text") ?? "";
      return isHousekeeping(typed) ? [] : unlessEmpty({ role: "user", parts: asList(textPart("text", typed)) });
    }
    case "planner_response":
      return unlessEmpty({
        role: "assistant",
        parts: [
          ...asList(textPart("thinking", asString(data.thinking))),
          ...asList(textPart("text", asString(data.response))),
        ],
      });
    case "":
      return [];
    default:
      return Object.keys(data).length > 0 ? toolMessages(type, data) : [];
  }
}

/** The vendor does not fix the fields of the other steps: everything but the output counts as the input. */
function toolMessages(name: string, data: JsonObject): Message[] {
  const isInput = (key: string): boolean => !OUTPUTS.includes(key) && !EXIT_CODES.includes(key);
  const input = defined(Object.fromEntries(Object.entries(data).filter(([key]) => isInput(key))));
  const output = OUTPUTS.map((key) => data[key]).find((value) => value !== undefined && value !== null);
  const exit_code = EXIT_CODES.map((key) => asNumber(data[key])).find((code) => code !== undefined);
  const call: Part = { type: "tool_call", name, input };
  const result = defined({ type: "tool_result" as const, name, output: contentText(output ?? ""), exit_code });
  return [
    ...unlessEmpty({ role: "assistant", parts: [call] }),
    ...(output === undefined && exit_code === undefined ? [] : unlessEmpty({ role: "tool", parts: [result] })),
  ];
}
