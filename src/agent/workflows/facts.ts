/** What a conversation came to, told from its own records: asked, answered, changed, committed, failed, passed. */
import { OpenCalls } from "../../conversations/calls.ts";
import { deriveCommits } from "../../conversations/commits.ts";
import { deriveFiles } from "../../conversations/derive.ts";
import type { Message } from "../../conversations/model.ts";
import { clip } from "../../conversations/text.ts";
import { shellCommand } from "../../conversations/tools.ts";
import { saidText } from "./sentences.ts";
import type { Facts, LoadMessages, Passage } from "./workflow.ts";

const LONGEST_PROMPT = 300;
const LONGEST_OUTCOME = 500;
const LONGEST_COMMAND = 120;
const MOST_FILES = 50;
const MOST_COMMITS = 50;
const MOST_COMMANDS = 10;
/** Messages held at a time: conversations of a hundred thousand exist. */
const STRIDE = 500;

/** Commands that only look: that they found nothing is no failure. */
const LOOKING =
  /^(?:cd [^&;|]+ && )?(?:grep|rg|ls|cat|head|tail|find|fd|which|test|diff|sed -n|command -v|git (?:status|diff|log|show|grep))\b/;

interface Command {
  ref: string;
  failed: boolean;
  failedBefore: boolean;
}

export function factsOf({ address, row }: Passage, load: LoadMessages): Facts {
  const files = new Map<string, true>();
  const commits = new Map<string, string>();
  const commands = new Map<string, Command>();
  const open = new OpenCalls<string>();
  let prompt: Facts["prompt"];
  let outcome: Facts["outcome"];
  for (let from = 0; from < row.messages; from += STRIDE) {
    for (const { index, message } of load(row, from, Math.min(row.messages, from + STRIDE))) {
      const ref = `${address}#${index}`;
      if (message.role === "user" && !prompt) prompt = quoteOf(saidText(message), ref, LONGEST_PROMPT);
      if (message.role === "assistant") outcome = quoteOf(saidText(message), ref, LONGEST_OUTCOME) ?? outcome;
      for (const { path, how } of deriveFiles(message)) if (how === "edited") files.set(path, true);
      for (const { sha, subject } of deriveCommits(message)) commits.set(sha, `${sha} ${clip(subject, 120)}`);
      noteCommands(message, ref, open, commands);
    }
  }
  const runs = [...commands];
  const quotes = (wanted: (command: Command) => boolean): Facts["failing"] =>
    runs
      .filter(([, command]) => wanted(command))
      .slice(-MOST_COMMANDS)
      .map(([text, { ref }]) => ({ text, ref }));
  return {
    address,
    title: clip(row.title, 200),
    project: row.project ?? "",
    source: row.source,
    date: new Date(row.updated).toISOString(),
    messages: row.messages,
    ...(prompt ? { prompt } : {}),
    ...(outcome ? { outcome } : {}),
    files: [...files.keys()].slice(0, MOST_FILES),
    commits: [...commits.values()].slice(-MOST_COMMITS),
    failing: quotes(({ failed }) => failed),
    fixed: quotes(({ failed, failedBefore }) => !failed && failedBefore),
    passing: runs.filter(([, { failed, failedBefore }]) => !failed && !failedBefore).length,
  };
}

function quoteOf(text: string, ref: string, max: number): { text: string; ref: string } | undefined {
  const line = clip(text, max);
  return line === "" ? undefined : { text: line, ref };
}

/** Pairs each shell call with its result; of a command run several times the last run counts. */
function noteCommands(message: Message, ref: string, open: OpenCalls<string>, commands: Map<string, Command>): void {
  for (const part of message.parts) {
    if (part.type === "tool_call") {
      const command = clip(shellCommand(part) ?? "", LONGEST_COMMAND);
      open.add(part, LOOKING.test(command) ? "" : command);
    }
    if (part.type !== "tool_result") continue;
    const command = open.take(part);
    if (command === undefined || command === "") continue;
    const failed = part.exit_code === undefined ? part.is_error === true : part.exit_code !== 0;
    const before = commands.get(command);
    commands.delete(command);
    commands.set(command, {
      ref,
      failed,
      failedBefore: before !== undefined && (before.failed || before.failedBefore),
    });
  }
}
