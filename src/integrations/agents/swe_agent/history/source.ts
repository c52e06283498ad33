/**
 * SWE-agent: a document per run with the task and the steps, each a thought, a command and what it printed. Programs
 * start these runs, so dex reads them only if such sessions are wanted.
 */
import { basename, dirname } from "node:path";
import type { Message } from "../../../../conversations/model.ts";
import { requestId, type Usage } from "../../../../conversations/usage.ts";
import { defined } from "../../../../kernel/defined.ts";
import { asArray, asObject, asString, firstString, type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { toIso } from "../../../../kernel/time.ts";
import { contentText, textPart } from "../../../history/building/blocks.ts";
import { asList, unlessEmpty } from "../../../history/building/messages.ts";
import { requestUsage, withSessionUsage } from "../../../history/building/usage.ts";
import type { WholeConversation } from "../../../history/forms/conversation.ts";
import { documentSource, wholeObject } from "../../../history/forms/document.ts";
import { fileContainer, walkFiles } from "../../../history/reading/files.ts";
import type { Container, ReadRequest, Source } from "../../../history/source.ts";
import { trajectoryFolders } from "../integration.ts";

const ID = "swe_agent";
const EXTENSION = ".traj";
/** `<user>/<run>/<instance>/<instance>.traj` */
const MAX_DEPTH = 3;

export const sweAgentHistory: Source = {
  ...documentSource({
    id: ID,
    places: (env) => trajectoryFolders(env).map((path) => ({ path, what: "trajectories of runs" })),
    discover: (env) =>
      trajectoryFolders(env)
        .flatMap((folder) => walkFiles(folder, MAX_DEPTH, (name) => name.endsWith(EXTENSION)))
        .flatMap((path) => asList(fileContainer(ID, path))),
    read(request) {
      const document = wholeObject(request);
      return document && [conversation(document, request)];
    },
  }),
  besideCode({ path }: Container) {
    const at = path.lastIndexOf("trajectories");
    return { project: dirname(path.slice(0, at + 1)), history: path };
  },
};

function conversation(document: JsonObject, { container }: ReadRequest): WholeConversation {
  const { path, mtimeMs } = container;
  const id = `${basename(dirname(dirname(path)))}.${basename(path, EXTENSION)}`;
  const replay = parseJson(asString(document.replay_config) ?? "") ?? document.replay_config;
  const messages = [
    ...taskOf(asArray(document.history).map(asObject)),
    ...asArray(document.trajectory).flatMap((step, at) => stepMessages(asObject(step), `step-${at}`)),
  ];
  return {
    meta: {
      id,
      headless: true,
      updated: toIso(mtimeMs),
      model: firstString(asObject(asObject(asObject(replay).agent).model), "name"),
    },
    messages: withSessionUsage(messages, usageOf(asObject(asObject(document.info).model_stats), id)),
  };
}

/** The first prompt that is not an example. */
function taskOf(history: readonly JsonObject[]): Message[] {
  const task = history.find((record) => record.role === "user" && record.is_demo !== true);
  return task ? unlessEmpty({ role: "user", parts: asList(textPart("text", contentText(task.content))) }) : [];
}

/** The response is the thought and the command as the model wrote them. */
function stepMessages(step: JsonObject, id: string): Message[] {
  const command = asString(step.action)?.trim() ?? "";
  const thought = firstString(step, "thought") ?? (command === "" ? firstString(step, "response") : undefined);
  const observation = asString(step.observation);
  const call = { type: "tool_call" as const, id, name: "bash", input: { command } };
  const result = { type: "tool_result" as const, id, name: "bash", output: observation ?? "" };
  return [
    ...unlessEmpty({
      role: "assistant",
      uid: id,
      parts: [...asList(textPart("text", thought)), ...(command === "" ? [] : [call])],
    }),
    ...(command === "" || observation === undefined ? [] : [{ role: "tool" as const, parts: [result] }]),
  ];
}

function usageOf(stats: JsonObject, id: string): Usage[] | undefined {
  const counts = { input: stats.tokens_sent, output: stats.tokens_received };
  const { api_calls: calls, instance_cost: cost } = stats;
  return requestUsage(
    counts,
    {},
    defined({
      id: requestId(ID, id),
      requests: typeof calls === "number" && calls > 0 ? calls : undefined,
      cost: typeof cost === "number" ? cost : undefined,
    }),
  );
}
