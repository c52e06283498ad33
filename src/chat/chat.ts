/** One session of a chat, new or resumed: prepares its folder, runs OpenCode there, and records the messages. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Dex } from "../dex.ts";
import { DexError } from "../kernel/errors.ts";
import { endpointFrom } from "../llm/providers.ts";
import { redactText } from "../redact/redact.ts";
import { chooseModel } from "./model.ts";
import { findOpencode, runOpencode } from "./opencode.ts";
import { preparePlace } from "./place.ts";
import {
  type Chat,
  chatIds,
  createChat,
  emptyChat,
  findChat,
  lockChat,
  readChat,
  runningError,
  writeChat,
} from "./sessions.ts";
import { writeTranscript } from "./transcript.ts";

export interface ChatRequest {
  /** The id of the chat to resume, or "" for the latest; undefined starts a new one. */
  resume?: string;
  /** Asks one question and ends. Without it, the user talks with OpenCode at the terminal. */
  query?: string;
  /** Reads the question from standard input when there is no query. */
  piped: boolean;
  /** `provider/model`; overrides the configured model. */
  model?: string;
  /** Hides OpenCode's own output. */
  quiet: boolean;
  /** The program and arguments that start dex itself. */
  self: readonly string[];
  /** Shows the user a sentence in addition to OpenCode's output. */
  notice(text: string): void;
}

export interface ChatResult {
  chat: Chat;
  answer: string;
  status: number;
}

export async function holdChat(dex: Dex, request: ChatRequest): Promise<ChatResult> {
  const program = findOpencode(dex.vars);
  const endpoint = request.model === undefined ? endpointFrom(dex.settings, dex.vars) : undefined;
  const stale = await dex.freshen();
  if (stale !== undefined) request.notice(stale);
  const { chats } = dex.paths;
  const id = request.resume === undefined ? createChat(chats, dex.now()) : resumed(chats, request.resume);
  const lock = lockChat(chats, id);
  if (!lock) throw runningError(id);
  try {
    const known = request.resume === undefined ? emptyChat(id, dex.cwd) : readChat(chats, id);
    const begun = { ...known, summary: known.summary || redactText(request.query ?? "").text.slice(0, 200) };
    writeChat(chats, begun);
    const folder = join(chats, id);
    const model = endpoint && chooseModel(endpoint);
    const env = preparePlace(folder, { paths: dex.paths, vars: dex.vars, self: request.self, model });
    const from = dex.now();
    const args = argumentsOf(request, known.session);
    const status = await runOpencode(program, { args, env, cwd: dex.cwd, quiet: request.quiet, input: request.query });
    const transcript = writeTranscript(folder);
    if (!transcript && request.resume === undefined) {
      // The chat has no messages, so there is nothing to store.
      rmSync(folder, { recursive: true, force: true });
      if (status !== 0 && !model) throw noModel(status);
      return { chat: begun, answer: "", status: statusOf(request, status, "", []) };
    }
    const chat = {
      ...begun,
      ...transcript?.facts,
      ended: new Date(dex.now()).toISOString(),
      duration_ms: known.duration_ms + Math.max(0, dex.now() - from),
      exit_status: status,
    };
    writeChat(chats, chat);
    const { answer = "", refused = [] } = transcript ?? {};
    return { chat, answer, status: statusOf(request, status, answer, refused) };
  } finally {
    lock.release();
  }
}

/** A question without an answer is a failure even when OpenCode ends with status 0. */
function statusOf(request: ChatRequest, status: number, answer: string, refused: readonly string[]): number {
  const asked = request.query !== undefined || request.piped;
  if (!asked || status !== 0 || answer !== "") return status;
  const why = refused.length === 0 ? "" : `: ${refused.join(", ")} was refused, and the model stopped there`;
  request.notice(`no answer was given${why}`);
  return 1;
}

function resumed(chats: string, typed: string): string {
  if (typed !== "") return findChat(chats, typed);
  const [latest] = chatIds(chats);
  if (latest) return latest;
  throw new DexError("no_chats", "There is no chat to resume.", { hint: "Start one with `dex chat`.", exitCode: 1 });
}

/** OpenCode itself only reports "unexpected server error". */
function noModel(status: number): DexError {
  return new DexError("opencode_failed", `OpenCode ended with status ${status} before it answered.`, {
    hint: "Set llm.provider, llm.model and llm.apiKey in config.yaml, or a provider's key in the environment.",
  });
}

function argumentsOf(request: ChatRequest, session: string | undefined): string[] {
  const shared = [
    ...(session === undefined ? [] : ["--session", session]),
    ...(request.model === undefined ? [] : ["--model", request.model]),
  ];
  return request.query === undefined && !request.piped ? shared : ["run", ...shared];
}
