/** Adds to a result the facts that it states elsewhere than in a field: the tool's name, and a command's exit code. */
import { toolKind } from "../../../conversations/activity/tools.ts";
import type { Message, ToolResultPart } from "../../../conversations/model.ts";

/**
 * The sentence with which shell tools begin or end their report, alone on its line: `Command exited with code 1`,
 * `[Process exited with code 2]`, `Command "make" failed with exit code: 2.`, `Exit Code: 1`, `returncode: 1`.
 */
const STATED =
  /^[[<(]?(?:(?:Command|Process)\b.{0,300}?\b(?:exited|failed|completed) with (?:exit )?code|Exit code|Return ?code):? (-?\d{1,10})[\])>.]?$/i;
const EXAMINED_CHARS = 500;

/** The messages of a conversation, with the names and exit codes of results that do not say them in a field. */
export function* completed(messages: Iterable<Message>): Generator<Message> {
  const names = new Map<string, string>();
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === "tool_call" && part.id !== undefined) names.set(part.id, part.name);
    }
    yield withExitCodes(message, names);
  }
}

/** `names`: the tools of earlier calls, by the calls' ids. */
export function withExitCodes(message: Message, names?: ReadonlyMap<string, string>): Message {
  if (!message.parts.some((part) => part.type === "tool_result")) return message;
  const parts = message.parts.map((part) => (part.type === "tool_result" ? withExitCode(part, names) : part));
  return { ...message, parts };
}

function withExitCode(result: ToolResultPart, names: ReadonlyMap<string, string> | undefined): ToolResultPart {
  const name = result.name ?? (result.id === undefined ? undefined : names?.get(result.id));
  const isShell = name !== undefined && toolKind(name) === "shell";
  const exit_code = result.exit_code ?? (isShell ? statedExitCode(result.output) : undefined);
  return { ...result, ...(name === undefined ? {} : { name }), ...(exit_code === undefined ? {} : { exit_code }) };
}

export function statedExitCode(output: string): number | undefined {
  const text = output.trim();
  const first = text.slice(0, EXAMINED_CHARS).split("\n", 1)[0] ?? "";
  const last = text.slice(-EXAMINED_CHARS).split("\n").at(-1) ?? "";
  const stated = STATED.exec(last.trim()) ?? STATED.exec(first.trim());
  return stated ? Number(stated[1]) : undefined;
}
