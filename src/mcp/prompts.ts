/** MCP prompts, which clients show as commands: each gives the model what dex knows and what to do with it. */
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/server";
import { DexError } from "../kernel/errors.ts";
import type { Toolset } from "../operations/operation.ts";
import type { Caller } from "../serving/calls/call_runner.ts";
import { cleanLine } from "../text/clean.ts";
import type { Tools } from "./tools/tools.ts";

type Arguments = Readonly<Record<string, string>>;

interface PromptKind extends Prompt {
  set: Toolset;
  verb: string;
  input(given: Arguments): Record<string, unknown>;
  /** The instruction for the model; the answer of the verb follows it. */
  task(given: Arguments): string;
}

const MAX_ARGUMENT_CHARS = 4000;

const KINDS: readonly PromptKind[] = [
  {
    set: "conversations",
    name: "recall",
    title: "Recall past work",
    description: "Find what was done and decided about a topic in past conversations",
    arguments: [{ name: "topic", description: "A task, a file, an error or an identifier", required: true }],
    verb: "search",
    input: ({ topic }) => ({ query: topic, limit: 8 }),
    task: ({ topic }) =>
      `These are past conversations about "${topic}". Read the messages that matter with dex_read or dex_get. Then say what was done, what was decided and why, each with its id#index. Say so if they do not answer it.`,
  },
  {
    set: "memory",
    name: "catch_up",
    title: "Catch up on this project",
    description: "Start with what dex knows about this project: decisions, recent work, open points",
    arguments: [{ name: "task", description: "What you want to do next" }],
    verb: "pack",
    input: ({ task }) => (task ? { task } : {}),
    task: ({ task }) =>
      `This is what dex knows about the project. Sum it up in a few sentences${task ? `, with what matters for this task: ${task}` : ""}. Check it against the current code before you rely on it.`,
  },
  {
    set: "memory",
    name: "known_fix",
    title: "Find a known fix",
    description: "Look up an error in past conversations, with the steps that followed",
    arguments: [{ name: "error", description: "The error message as pasted", required: true }],
    verb: "fix",
    input: ({ error }) => ({ error }),
    task: () =>
      "This is how past conversations met this error, or a similar one. Say which steps solved it, with their id#index, and whether they apply here. Say so if there are none.",
  },
];

export function promptsOf(sets: ReadonlySet<Toolset>): Prompt[] {
  return KINDS.filter(({ set }) => sets.has(set)).map(({ name, title, description, arguments: taken }) => ({
    name,
    title,
    description,
    arguments: taken,
  }));
}

export async function getPrompt(
  tools: Tools,
  sets: ReadonlySet<Toolset>,
  { name, given, caller }: { name: string; given: Arguments; caller?: Caller },
): Promise<GetPromptResult> {
  const kind = KINDS.find((each) => each.name === name && sets.has(each.set));
  const missing = kind?.arguments?.find((each) => each.required && !given[each.name]?.trim());
  if (!kind || missing) {
    const what = kind ? `The prompt ${name} needs ${missing?.name}.` : `There is no prompt "${cleanLine(name, 60)}".`;
    const names = promptsOf(sets).map((each) => each.name);
    throw new DexError("unknown_prompt", what, { hint: `The prompts are ${names.join(", ")}.` });
  }
  const cut = Object.fromEntries(Object.entries(given).map(([key, text]) => [key, text.slice(0, MAX_ARGUMENT_CHARS)]));
  const text = await tools.read(kind.verb, kind.input(cut), caller);
  const message = `${kind.task(cut)}\n\n${text}`;
  return { description: kind.description, messages: [{ role: "user", content: { type: "text", text: message } }] };
}
