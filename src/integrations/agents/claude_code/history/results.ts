/**
 * Results of tools. Claude Code stores a result twice: as the text the model saw, which may be truncated or empty, and
 * as a structure of the tool (`toolUseResult`). It writes very long results to a file of the session.
 *
 * A transcript is untrusted data that names files. dex reads only files in the session's own `tool-results` folder,
 * whatever path the record gives; otherwise a crafted record could pull any file of the machine into the index.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { ToolResultPart } from "../../../../conversations/model.ts";
import { defined } from "../../../../kernel/defined.ts";
import {
  asArray,
  asObject,
  asString,
  firstString,
  isObject,
  type Json,
  type JsonObject,
} from "../../../../kernel/json.ts";
import { attachmentText, blocksOf, isAttachment } from "../../../history/building/blocks.ts";
import { withoutReminders } from "../../../history/claude_prompts.ts";

/** The folder `<session>/tool-results`, and the session id that a path must contain before dex looks there. */
export interface SpillFolder {
  session: string;
  path: string;
}

const MAX_SPILL_BYTES = 2 << 20;
const SPILLED = "<persisted-output>";
const SAVED_TO = /Full output saved to: ([^\r\n]+)/;
const CUT = /\[\d+ (?:lines|characters) truncated\] \.\.\.\s*$/;
const EXIT_CODE = /^(?:Error: )?Exit code (\d{1,10})\b/;
const ERROR_OPEN = "<tool_use_error>";
const ERROR_CLOSE = "</tool_use_error>";

/** `structured` is the record's `toolUseResult`, given only when the record holds this one result. */
export function toolResult(
  block: JsonObject,
  structured: Json | undefined,
  name: string | undefined,
  spill: SpillFolder | undefined,
): ToolResultPart {
  const text = withoutReminders(resultText(block.content));
  const isError = block.is_error === true;
  const details = asObject(structured);
  return defined({
    type: "tool_result" as const,
    id: asString(block.tool_use_id),
    name,
    output: unwrapped(wholeOutput(text, structured, spill)),
    is_error: isError ? true : undefined,
    exit_code: exitCode(text, isError, details),
    agent: agentOf(details),
  });
}

function resultText(content: Json | undefined): string {
  if (typeof content === "string") return content;
  const texts: string[] = [];
  for (const block of blocksOf(content)) {
    const text = isAttachment(block) ? attachmentText(block) : firstString(block, "text", "tool_name");
    if (text !== undefined) texts.push(text);
  }
  return texts.join("\n");
}

function wholeOutput(text: string, structured: Json | undefined, spill: SpillFolder | undefined): string {
  const path = asString(asObject(structured).persistedOutputPath) ?? spilledPath(text);
  const spilled = path === undefined || !spill ? undefined : readSpilled(path, spill);
  if (spilled !== undefined) return spilled;
  if (text !== "" && !text.startsWith(SPILLED) && !CUT.test(text.slice(-80))) return text;
  const other = withoutReminders(structuredText(structured));
  return other.length > text.length ? other : text;
}

/** The marker counts only where Claude Code itself puts it: a tool may print a text that quotes it. */
function spilledPath(text: string): string | undefined {
  return text.startsWith(SPILLED) ? SAVED_TO.exec(text.slice(0, 4000))?.[1]?.trim() : undefined;
}

/**
 * The path's last three components must be this session's. A history that was moved to another home still finds its
 * files.
 */
function readSpilled(path: string, spill: SpillFolder): string | undefined {
  const names = path.split(/[\\/]/);
  const name = names.at(-1) ?? "";
  if (names.at(-2) !== "tool-results" || names.at(-3) !== spill.session) return undefined;
  if (name === "" || name === "." || name === ".." || name.includes("\0")) return undefined;
  let fd: number;
  try {
    // dex follows no link out of the folder and does not wait for a pipe.
    fd = openSync(join(spill.path, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return undefined;
    const bytes = Buffer.alloc(Math.min(stats.size, MAX_SPILL_BYTES));
    const got = readSync(fd, bytes, 0, bytes.length, 0);
    // A cut inside a character leaves one replacement character at the end.
    return bytes.toString("utf8", 0, got).replace(/\uFFFD$/, "");
  } catch {
    return undefined;
  } finally {
    closeSync(fd);
  }
}

/** The text of a tool's structure: the fields that hold output, in the shapes that tools use. */
function structuredText(structured: Json | undefined): string {
  if (typeof structured === "string") return structured;
  if (Array.isArray(structured)) return resultText(structured);
  if (!isObject(structured)) return "";
  const printed = [structured.stdout, structured.stderr].map(asString).filter((text) => text?.trim());
  if (printed.length > 0) return printed.join("\n");
  const single =
    firstString(asObject(structured.file), "content") ?? firstString(structured, "content", "result", "plan");
  if (single !== undefined) return single;
  if (Array.isArray(structured.content)) return resultText(structured.content);
  return asArray(structured.filenames)
    .filter((name) => typeof name === "string")
    .join("\n");
}

/**
 * Claude Code writes a failure as text and omits the exit code 0. A shell result that is not an error, was not
 * interrupted and did not go to the background ended with 0, or with the 1 with which grep, diff and test report a
 * negative result (`returnCodeInterpretation`).
 */
function exitCode(text: string, isError: boolean, details: JsonObject): number | undefined {
  if (isError) {
    const code = EXIT_CODE.exec(text)?.[1];
    return code === undefined ? undefined : Number(code);
  }
  if (typeof details.stdout !== "string" || details.interrupted === true) return undefined;
  if (firstString(details, "backgroundTaskId") !== undefined) return undefined;
  return firstString(details, "returnCodeInterpretation") === undefined ? 0 : 1;
}

/** The subagent's conversation, named like its file. */
function agentOf(details: JsonObject): string | undefined {
  const id = firstString(details, "agentId", "resumedAgentId");
  return id === undefined ? undefined : `agent-${id.replace(/^agent-/, "")}`;
}

function unwrapped(text: string): string {
  if (!text.startsWith(ERROR_OPEN) || !text.endsWith(ERROR_CLOSE)) return text;
  return text.slice(ERROR_OPEN.length, -ERROR_CLOSE.length);
}
