/**
 * The parts of messages for a reader that shows them one by one: each with its own text, and every tool call connected
 * with its result, which is in a later message.
 */
import { defined } from "../kernel/defined.ts";
import { countLines } from "../text/clip.ts";
import { changesOf, type FileChange } from "./activity/edits.ts";
import { clipMain, mainArgument } from "./activity/input.ts";
import { type CallOutcome, outcomeOf } from "./activity/outcome.ts";
import type { Message, Part, ToolCallPart, ToolResultPart } from "./model.ts";

/** More of a text is left out; `dex message --chars` reads it. */
const MAX_TEXT_CHARS = 100_000;
const MAX_GIST_CHARS = 160;
/** A call without an id is answered within this many messages. */
const MAX_UNNAMED_DISTANCE = 2;

/** A message of the part, and its position there. */
export interface PartPlace {
  index: number;
  part: number;
}

interface ShownText {
  text: string;
  /** The length of the whole text, when some of it is left out. */
  chars?: number;
}

interface ResultFacts {
  status: CallOutcome;
  exit_code?: number;
  lines: number;
  /** The subagent conversation that did the work. */
  agent?: string;
}

export type ShownPart =
  | ({ type: "text" | "thinking" } & ShownText)
  | ({
      type: "tool_call";
      name: string;
      /** The file, the command or the pattern, on one line. */
      gist: string;
      edits?: FileChange[];
      result?: PartPlace & ResultFacts;
    } & ShownText)
  | ({ type: "tool_result"; name?: string; call?: PartPlace } & ResultFacts & ShownText);

export interface IndexedMessage {
  index: number;
  message: Message;
}

/** The parts of each message. Calls and results are connected as far as both are among the messages. */
export function shownParts(
  messages: readonly IndexedMessage[],
  project: string | undefined,
): { index: number; message: Message; parts: ShownPart[] }[] {
  const { results, calls } = connect(messages);
  return messages.map(({ index, message }) => ({
    index,
    message,
    parts: message.parts.map((part, at): ShownPart => {
      const key = keyOf({ index, part: at });
      if (part.type === "tool_call") return shownCall(part, results.get(key), project);
      if (part.type === "tool_result") return shownResult(part, calls.get(key));
      return { type: part.type, ...cut(part.text) };
    }),
  }));
}

/** The text of a part as it is shown, whole. */
export function partText(part: Part): string {
  if (part.type === "tool_call") return inputText(part);
  return part.type === "tool_result" ? part.output : part.text;
}

function inputText({ input }: ToolCallPart): string {
  return typeof input === "string" ? input : JSON.stringify(input, null, 2);
}

function shownCall(call: ToolCallPart, result: Connected | undefined, project: string | undefined): ShownPart {
  const edits = changesOf(call).map(cutChange);
  return {
    type: "tool_call",
    name: call.name,
    gist: clipMain(call, mainArgument(call, project), MAX_GIST_CHARS),
    ...cut(inputText(call)),
    ...(edits.length > 0 ? { edits } : {}),
    ...(result ? { result: { ...result.place, ...factsOf(result.part) } } : {}),
  };
}

function shownResult(result: ToolResultPart, call: PartPlace | undefined): ShownPart {
  return {
    type: "tool_result",
    ...(result.name === undefined ? {} : { name: result.name }),
    ...factsOf(result),
    ...cut(result.output),
    ...(call ? { call } : {}),
  };
}

function factsOf(result: ToolResultPart): ResultFacts {
  const { exit_code, output, agent } = result;
  return defined({ status: outcomeOf(result), exit_code, lines: countLines(output), agent });
}

function cut(text: string): ShownText {
  return text.length <= MAX_TEXT_CHARS ? { text } : { text: text.slice(0, MAX_TEXT_CHARS), chars: text.length };
}

function cutChange(change: FileChange): FileChange {
  const short = (text: string | undefined): string | undefined => text?.slice(0, MAX_TEXT_CHARS);
  const { path, old, new: now, patch } = change;
  return patch === undefined ? { path, old: short(old) ?? "", new: short(now) ?? "" } : { path, patch: short(patch) };
}

interface Connected {
  place: PartPlace;
  part: ToolResultPart;
}

/** By the agent's own ids; where it gives none, results follow their calls in the same order. */
function connect(messages: readonly IndexedMessage[]): {
  results: Map<string, Connected>;
  calls: Map<string, PartPlace>;
} {
  const results = new Map<string, Connected>();
  const calls = new Map<string, PartPlace>();
  const named = new Map<string, PartPlace>();
  let unnamed: PartPlace[] = [];
  for (const { index, message } of messages) {
    for (const [at, part] of message.parts.entries()) {
      const place = { index, part: at };
      if (part.type === "tool_call") {
        if (part.id === undefined) unnamed.push(place);
        else named.set(part.id, place);
      } else if (part.type === "tool_result") {
        unnamed = unnamed.filter((call) => index - call.index <= MAX_UNNAMED_DISTANCE);
        const call = part.id === undefined ? unnamed.shift() : named.get(part.id);
        if (!call || results.has(keyOf(call))) continue;
        results.set(keyOf(call), { place, part });
        calls.set(keyOf(place), call);
      }
    }
  }
  return { results, calls };
}

function keyOf({ index, part }: PartPlace): string {
  return `${index}:${part}`;
}
