/**
 * The contract of an agent that runs hooks, called a host: how dex reads its events, and how the host accepts an
 * answer. An answer is the smallest object that carries the text, because some hosts reject unknown fields. dex never
 * decides anything for a host, it only states facts.
 */
import type { Moment } from "../../config/moments.ts";
import { callFiles } from "../../conversations/activity/derive.ts";
import { currentFolder } from "../../kernel/files/current_folder.ts";
import { asString, type Json, type JsonObject } from "../../kernel/json.ts";
import { withoutInjected } from "./injected.ts";
import { shellReads } from "./shell_reads.ts";

export const START_SOURCES = ["startup", "resume", "clear", "compact", "fork"] as const;
export type StartSource = (typeof START_SOURCES)[number];

interface Common {
  /** The host's own name of the event; an answer repeats it. */
  name: string;
  /** The conversation whose model reads the answer. */
  session: string | undefined;
  folder: string;
  /** The agent that sent the event, if the settings of another agent started the hook. */
  sender?: string;
}

export type HookEvent = Common &
  /** `isLost`: the model has lost the text of the session's earlier start, and only that. */
  (
    | { kind: "start"; source: StartSource; parent?: string; isLost?: boolean }
    | { kind: "prompt"; prompt: string; carrier?: string }
    /** A tool has read or edited files. `edited`: those it edited, where the host has no event before an edit. */
    | { kind: "files"; files: readonly string[]; edited?: readonly string[] }
    /** The agent is about to edit files. */
    | { kind: "edit"; files: readonly string[]; text: string }
    /** The agent is about to run a command, or has run one that failed, where the host takes no context before. */
    | { kind: "command"; command: string }
    /** The session is over: there is nobody to answer. */
    | { kind: "end" }
    /** The model has lost the facts that it received before. */
    | { kind: "compacted" }
  );

/** Undefined for an event that only clears records: it is never switched off. */
export function momentOf({ kind }: Pick<HookEvent, "kind">): Moment | undefined {
  if (kind === "compacted") return undefined;
  return kind === "files" ? "file" : kind;
}

export interface HookHost {
  /** Undefined: dex does not answer this event. */
  read(input: JsonObject): HookEvent | undefined;
  /** `text` is never empty. A string is written as it is, for hosts that take all output for context. */
  answer(event: HookEvent, text: string): JsonObject | string;
}

const MAX_ID_CHARS = 200;
const MAX_PROMPT_CHARS = 20_000;
/** Before the texts that hooks inserted are removed. */
const MAX_RAW_PROMPT_CHARS = 200_000;
const MAX_FILES = 20;

/** An id from outside becomes a key: an overlong one, or one with control characters, is rejected. */
export function idOf(value: Json | undefined): string | undefined {
  const id = asString(value);
  return id === undefined || id === "" || id.length > MAX_ID_CHARS || /\p{Cc}/u.test(id) ? undefined : id;
}

export function folderOf(value: Json | undefined): string {
  return asString(value) || currentFolder();
}

export function sourceOf(value: Json | undefined): StartSource {
  return START_SOURCES.find((source) => source === value) ?? "startup";
}

/** The user's own words: texts that hooks inserted into the prompt are removed. */
export function promptOf(value: Json | undefined): string {
  return withoutInjected((asString(value) ?? "").slice(0, MAX_RAW_PROMPT_CHARS))
    .trim()
    .slice(0, MAX_PROMPT_CHARS);
}

/** Files that a tool call reads or edits. */
export function filesOf(name: Json | undefined, input: Json | undefined): string[] {
  const tool = asString(name);
  if (tool === undefined || input === undefined) return [];
  const call = { type: "tool_call", name: tool, input } as const;
  const named = callFiles(call).filter(({ how }) => how !== "mentioned");
  return [...new Set([...named.map(({ path }) => path), ...shellReads(call)])].slice(0, MAX_FILES);
}
