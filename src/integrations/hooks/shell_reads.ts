/** Files that a shell command shows, for agents that read through the shell: `cat a.ts`, `sed -n 1,80p a.ts`. */
import { callKind, shellCommand } from "../../conversations/activity/tools.ts";
import type { ToolCallPart } from "../../conversations/model.ts";

/** Programs that print files. Their arguments are files unless they look like a flag, a range or a number. */
const READERS = new Set(["cat", "nl", "head", "tail", "bat", "less", "sed"]);
const MAX_COMMAND_CHARS = 2000;
const MAX_WORDS = 50;

export function shellReads(call: ToolCallPart): string[] {
  if (callKind(call) !== "shell") return [];
  const command = shellCommand(call);
  if (command === undefined || command.length > MAX_COMMAND_CHARS) return [];
  return command.split(/\|\||&&|[|;&\n]/).flatMap(readBy);
}

function readBy(simple: string): string[] {
  const words = [...simple.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)]
    .map(([, double, single, bare]) => double ?? single ?? bare ?? "")
    .slice(0, MAX_WORDS);
  const [program = "", ...rest] = words;
  // A command that changes a file in place does not read it, and a redirected one shows nothing.
  if (!READERS.has(program) || rest.some((word) => /^-i|^--in-place|[<>$`*]/.test(word))) return [];
  return rest.filter(
    (word) => /^[^-]/.test(word) && /[\\/.]/.test(word) && /[A-Za-z]/.test(word) && !/^\d+,/.test(word),
  );
}
