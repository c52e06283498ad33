/** Files that a shell command shows, for agents that read through the shell: `cat a.ts`, `sed -n 1,80p a.ts`. */
import type { ToolCallPart } from "../../conversations/model.ts";
import { callKind, shellCommand } from "../../conversations/tools.ts";

/** The part behind them that is a file: everything that is no flag and does not look like a range or a number. */
const READERS = new Set(["cat", "nl", "head", "tail", "bat", "less", "sed"]);
const LONGEST = 2000;
const MOST_WORDS = 50;

export function shellReads(call: ToolCallPart): string[] {
  if (callKind(call) !== "shell") return [];
  const command = shellCommand(call);
  if (command === undefined || command.length > LONGEST) return [];
  return command.split(/\|\||&&|[|;&\n]/).flatMap(readBy);
}

function readBy(simple: string): string[] {
  const words = [...simple.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)]
    .map(([, double, single, bare]) => double ?? single ?? bare ?? "")
    .slice(0, MOST_WORDS);
  const [program = "", ...rest] = words;
  // Changing a file in place is no reading, and what is redirected is no file that is shown.
  if (!READERS.has(program) || rest.some((word) => /^-i|^--in-place|[<>$`*]/.test(word))) return [];
  return rest.filter(
    (word) => /^[^-]/.test(word) && /[\\/.]/.test(word) && /[A-Za-z]/.test(word) && !/^\d+,/.test(word),
  );
}
