/**
 * Interprets texts of Codex: the user's words inside the wrappers of a prompt, the output of a tool after its header.
 */
import { hash } from "node:crypto";
import type { ToolResultPart } from "../../../../conversations/model.ts";
import {
  asArray,
  asNumber,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  parseJson,
} from "../../../../kernel/json.ts";
import { blockTexts, stripBlocks } from "../../../history/building/wrappers.ts";

/** Context that Codex puts before the typed text or in its place. */
const CONTEXT_TAGS = [
  "environment_context",
  "user_instructions",
  "INSTRUCTIONS",
  "permissions instructions",
  "turn_aborted",
  "skill",
  "subagent_notification",
  "user_action",
  "hook_prompt",
  "collaboration_mode",
  "model_switch",
  "personality_spec",
  "skills_instructions",
  "apps_instructions",
  "plugins_instructions",
  "recommended_plugins",
  "codex_internal_context",
  "goal_context",
];
const WARNING = /^Warning: (?:apply_patch was requested via|The maximum number of unified exec processes)/;
const REQUEST = "## My request for Codex:";
const IMAGE_TAG = /^\s*<\/?image(?:\s[^>]*)?>\s*$/;

/** The user's words in one input text, or "". */
export function promptText(raw: string): string {
  let text = raw.trim();
  for (;;) {
    const rest = withoutLeadingContext(text);
    if (rest === text) break;
    text = rest;
  }
  if (WARNING.test(text) || IMAGE_TAG.test(text)) return "";
  return agentMessage(request(text)).text;
}

/** The first versions named the folder only in the text that tells the model about its environment. */
export function folderInContext(texts: readonly string[]): string | undefined {
  const context = texts.flatMap((text) => blockTexts(text, "environment_context")).join("\n");
  const [, tagged, listed] = /<cwd>(.*?)<\/cwd>|^\s*(?:- )?(?:Current )?working directory: (.+)$/im.exec(context) ?? [];
  return (tagged ?? listed)?.trim() || undefined;
}

function withoutLeadingContext(text: string): string {
  if (text.startsWith("# AGENTS.md instructions")) return after(text, "</INSTRUCTIONS>");
  if (!text.startsWith("<")) return text;
  for (const tag of CONTEXT_TAGS) {
    const next = text.charAt(tag.length + 1);
    if (text.startsWith(tag, 1) && (next === ">" || next === " " || next === "\n")) return after(text, `</${tag}>`);
  }
  return text;
}

/** An unclosed wrapper extends to the end of the text. */
function after(text: string, closing: string): string {
  const at = text.indexOf(closing);
  return at < 0 ? "" : text.slice(at + closing.length).trim();
}

/** Editors put open files and selections before the request; files that the user attached are part of the prompt. */
function request(text: string): string {
  const at = text.lastIndexOf(REQUEST);
  if (at < 0 || !text.startsWith("# ")) return text;
  const words = text.slice(at + REQUEST.length).trim();
  if (!text.startsWith("# Files mentioned by the user")) return words;
  const files = Array.from(text.slice(0, at).matchAll(/^## [^\n]*?: (\S[^\n]*)$/gm), (match) => `[file: ${match[1]}]`);
  return [words, ...files].join("\n");
}

interface AgentMessageText {
  /** NEW_TASK, MESSAGE or FINAL_ANSWER; undefined for a plain text. */
  kind?: string;
  text: string;
}

const ENVELOPE = /^Message Type: (\w+)\n(?:(?:Task name|Sender): [^\n]*\n){0,2}(?:Payload:\s*)?/;

/** Agents write to each other in an envelope. */
export function agentMessage(text: string): AgentMessageText {
  const envelope = ENVELOPE.exec(text);
  if (!envelope) return { text };
  return { kind: envelope[1] ?? "", text: text.slice(envelope[0].length).trim() };
}

interface UserShell {
  command: string;
  output: string;
}

/** A command the user ran with `!`, which Codex records as a user message. */
export function userShell(text: string): UserShell | undefined {
  if (!text.trimStart().startsWith("<user_shell_command>")) return undefined;
  const [command] = blockTexts(text, "command");
  return command === undefined ? undefined : { command, output: blockTexts(text, "result")[0] ?? "" };
}

interface AnswerText {
  text: string;
  /** Codex records plans twice: inside the answer, and as an item of their own. */
  plans: string[];
}

export function answerText(raw: string): AnswerText {
  if (!raw.includes("<")) return { text: raw.trim(), plans: [] };
  const text = stripBlocks(raw, ["proposed_plan", "oai-mem-citation"]).trim();
  return { text, plans: blockTexts(raw, "proposed_plan") };
}

/** Texts of content items, and whether there are images among them. */
export function contentTexts(content: Json | undefined): { texts: string[]; images: number } {
  if (typeof content === "string") return { texts: [content], images: 0 };
  const texts: string[] = [];
  let images = 0;
  for (const item of asArray(content)) {
    const text = typeof item === "string" ? item : asString(asObject(item).text);
    if (text !== undefined) texts.push(text);
    else if (/image/i.test(asString(asObject(item).type) ?? "")) images += 1;
  }
  return { texts, images };
}

const HEADER = /^(?:Command|Chunk ID|Exit code|Wall time): /;
const OUTPUT = "\nOutput:\n";
const EXIT_CODE = /^(?:Process exited with code|Exit code:) (-?\d{1,10})/m;
/** Codex's own messages for calls that did not run. */
const FAILED =
  /^(?:(?:apply_patch verification|exec_command|write_stdin|collab spawn) failed|aborted by user|unsupported call:)/;
const RUNNING = /^Process running with session ID .*$/m;

type Output = Pick<ToolResultPart, "output" | "exit_code" | "is_error">;

/** Outputs are text, content items, or either of them inside an object; a header precedes shell outputs. */
export function toolOutput(output: Json | undefined): Output {
  if (typeof output === "string") return shellOutput(output);
  const wrapped = isObject(output) ? output : undefined;
  const { texts, images } = contentTexts(wrapped ? (wrapped.content ?? wrapped.output) : output);
  const result = shellOutput([...texts, ...Array<string>(images).fill("[image]")].join("\n"));
  if (wrapped?.success === false || wrapped?.isError === true) result.is_error = true;
  return result;
}

function shellOutput(text: string): Output {
  if (text.startsWith('{"output":')) {
    const value = asObject(parseJson(text));
    const output = asString(value.output);
    if (output !== undefined) return withCode(output, asNumber(asObject(value.metadata).exit_code));
  }
  if (FAILED.test(text)) return { output: text, is_error: true };
  if (!HEADER.test(text)) return { output: text };
  const at = text.indexOf(OUTPUT);
  const header = at < 0 ? text : text.slice(0, at);
  if (!/(?:^|\n)Wall time: /.test(header)) return { output: text };
  const output = at < 0 ? "" : text.slice(at + OUTPUT.length);
  const running = RUNNING.exec(header);
  const code = EXIT_CODE.exec(header);
  return withCode(running ? `${running[0]}\n${output}` : output, code ? Number(code[1]) : undefined);
}

export function withCode(output: string, code: number | undefined): Output {
  if (code === undefined) return { output };
  return code === 0 ? { output, exit_code: 0 } : { output, exit_code: code, is_error: true };
}

const PATCH_LINE = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

/** Files that an apply_patch text names, in order, each once. */
function patchFiles(text: string): string[] {
  if (!text.includes("*** Begin Patch")) return [];
  return [...new Set(Array.from(text.matchAll(PATCH_LINE), (match) => (match[1] ?? "").trim()))].filter(Boolean);
}

/** Files of the patch in a call's input, wherever the call has it: a shell command may contain one, too. */
export function inputFiles(input: Json): string[] | undefined {
  const found: string[] = [];
  for (const value of isObject(input) ? Object.values(input) : [input]) {
    if (typeof value === "string") found.push(...patchFiles(value));
    else if (Array.isArray(value))
      for (const each of value) if (typeof each === "string") found.push(...patchFiles(each));
  }
  return found.length > 0 ? found : undefined;
}

/** Tools of a server carry its name; Codex's own namespaces say nothing. */
export function toolName(name: string, namespace: string | undefined): string {
  if (!namespace?.startsWith("mcp__")) return name;
  return name.startsWith("_") ? namespace + name : `${namespace}__${name}`;
}

/** The names that a tool search found, without their descriptions. */
export function foundTools(tools: Json | undefined): string {
  return asArray(tools)
    .flatMap((tool) => {
      const name = firstString(asObject(tool), "name");
      const inner = asArray(asObject(tool).tools).map((each) => firstString(asObject(each), "name"));
      return name === undefined ? inner : inner.length > 0 ? inner.map((each) => each && toolName(each, name)) : [name];
    })
    .filter((name) => name !== undefined)
    .join("\n");
}

const HASH_MARK = "\0";

/** Replaces a text that must not be stored: the same text can be recognised, but nobody can read it back. */
export function hashOf(text: string): string {
  return text.startsWith(HASH_MARK) ? text : HASH_MARK + hash("sha1", text, "base64").slice(0, 12);
}

/** Whether the stored text, hashed or not, is this one. */
export function isSame(kept: string, text: string): boolean {
  return kept === text || (kept.startsWith(HASH_MARK) && kept === hashOf(text));
}
