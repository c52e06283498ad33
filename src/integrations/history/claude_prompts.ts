/**
 * The person's words, without the wrapping of Claude Code.
 *
 * Claude Code stores reminders, hooks, notifications and the output of local commands as user text, alone or before a
 * real prompt. dex cuts them out by their tags and keeps the rest unchanged.
 */
import { withoutProgramText } from "../../conversations/texts/program_text.ts";

/** Blocks that the program wrote, wherever a line begins with them. Any `ide_*` block is one too. */
const MACHINE_TAGS = new Set([
  "system-reminder",
  "local-command-caveat",
  "local-command-stdout",
  "local-command-stderr",
  "task-notification",
  "ci-monitor-event",
  "user-prompt-submit-hook",
  "session-start-hook",
  "bash-stdout",
  "bash-stderr",
]);

/** Commands that control the program and say nothing about the work. */
const HOUSEKEEPING = new Set(
  [
    "add-dir agents bashes bug chrome clear color compact config context copy cost desktop doctor effort exit",
    "export extra-usage fast feedback help hooks ide install-github-app install-slack-app keybindings login",
    "logout mcp memory mobile model output-style passes permissions plugin plugins privacy-settings quit",
    "release-notes reload-plugins remote-control remote-env rename resume rewind sandbox skills stats status",
    "statusline stickers tasks teleport terminal-setup theme todos upgrade usage vim voice",
  ].flatMap((line) => line.split(" ")),
);

/** Commands that only switch a mode when nothing follows them. */
const SWITCHES = new Set(["plan", "goal", "loop"]);

const INTERRUPTED = /^\[Request interrupted by user(?: for tool use)?\]$/gm;
/** A placeholder for an image that the record contains as well. */
const IMAGE_PATH = /^\[Image: source: [^\]\n]*\]$/;
const OPENING = /[ \t]*<([a-z][a-z_-]*)>/y;
const COMMAND_START = /^<command-(?:name|message|args)>/;
const TYPED_COMMAND = /^\/([a-z][\w:-]*)(?:\s+([\s\S]*))?$/i;

/** The prompt in a stored user text; empty when there is none. */
export function cleanPrompt(text: string): string {
  const trimmed = withoutProgramText(text);
  if (COMMAND_START.test(trimmed)) return wrappedCommand(trimmed);
  // Announcements of background tasks go through the same queue as prompts.
  if (trimmed.startsWith('{"task_id":')) return "";
  let rest = trimmed.includes("<") ? withoutMachineBlocks(trimmed) : trimmed;
  if (IMAGE_PATH.test(rest)) return "";
  if (rest.includes("[Request interrupted")) rest = rest.replace(INTERRUPTED, "");
  if (rest.startsWith("<bash-input>")) rest = `! ${tagContent(rest, "bash-input") ?? ""}`;
  rest = rest.trim();
  return rest.startsWith("/") ? typedCommand(rest) : rest;
}

/** The output of a command that the person ran with `!`; undefined for any other text. */
export function shellOutput(text: string): string | undefined {
  if (!text.startsWith("<bash-stdout>")) return undefined;
  const output = [tagContent(text, "bash-stdout"), tagContent(text, "bash-stderr")];
  return output.filter((piece) => piece !== undefined && piece.trim() !== "").join("\n");
}

/** The new title, if the text is a `/rename` with one. */
export function renamedTo(text: string): string | undefined {
  if (!COMMAND_START.test(text.trim()) || tagContent(text, "command-name") !== "/rename") return undefined;
  return tagContent(text, "command-args")?.trim() || undefined;
}

/** Tool output without the reminders before and after it. */
export function withoutReminders(text: string): string {
  let rest = text;
  if (rest.startsWith("<system-reminder>")) {
    const end = rest.indexOf("</system-reminder>");
    if (end > 0) rest = rest.slice(end + "</system-reminder>".length).replace(/^\s*\n/, "");
  }
  while (/<\/system-reminder>\s*$/.test(rest.slice(-64))) {
    const start = rest.lastIndexOf("<system-reminder>");
    if (start < 0) break;
    rest = rest.slice(0, start).trimEnd();
  }
  return rest;
}

/**
 * Cuts the blocks at the start of a line or directly after another block: in the middle of a line the tag is something
 * the person wrote about. A tag that is never closed is searched for once, so the cost stays linear.
 */
function withoutMachineBlocks(text: string): string {
  const unclosed = new Set<string>();
  const blockEnd = (tag: string, from: number): number => {
    if (unclosed.has(tag) || !(MACHINE_TAGS.has(tag) || tag.startsWith("ide_"))) return -1;
    const close = text.indexOf(`</${tag}>`, from);
    if (close < 0) unclosed.add(tag);
    return close < 0 ? -1 : close + tag.length + 3;
  };
  let kept = "";
  let from = 0;
  let at = 0;
  while (at >= 0 && at < text.length) {
    OPENING.lastIndex = at;
    const tag = OPENING.exec(text)?.[1];
    const end = tag === undefined ? -1 : blockEnd(tag, OPENING.lastIndex);
    if (end < 0) {
      const newline = text.indexOf("\n", at);
      at = newline < 0 ? -1 : newline + 1;
      continue;
    }
    kept += text.slice(from, at);
    from = end;
    at = end;
  }
  return kept + text.slice(from);
}

function wrappedCommand(text: string): string {
  const name = (tagContent(text, "command-name") ?? tagContent(text, "command-message") ?? "").replace(/^\//, "");
  const args = tagContent(text, "command-args") ?? "";
  return name === "" ? "" : typedCommand(`/${name} ${args}`.trim());
}

/** A slash command as typed, or nothing if it is housekeeping. Text that only begins with a slash stays. */
function typedCommand(text: string): string {
  const match = TYPED_COMMAND.exec(text);
  if (!match) return text;
  const [, name = "", words = ""] = match;
  const args = words.trim();
  if (HOUSEKEEPING.has(name.toLowerCase()) || (args === "" && SWITCHES.has(name.toLowerCase()))) return "";
  return args === "" ? `/${name}` : `/${name} ${args}`;
}

function tagContent(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  if (start < 0) return undefined;
  const from = start + tag.length + 2;
  const end = text.indexOf(`</${tag}>`, from);
  return end < 0 ? undefined : text.slice(from, end);
}
