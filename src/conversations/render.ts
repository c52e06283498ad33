/**
 * The text of one message as agents read it, and its size in tokens.
 *
 * `full` has everything; `stripped` leaves out thinking and tool output; `user_only` has only the user's messages.
 * `measureMessage` must agree with `renderMessage`.
 */
import { clip, countLines, firstLine } from "../text/clip.ts";
import { estimatePieces } from "../tokens/estimate.ts";
import { callText, clipMain, mainArgument, shortCall } from "./activity/input.ts";
import type { Message, Part, ToolCallPart, ToolResultPart } from "./model.ts";

export const FORMATS = ["full", "stripped", "user_only"] as const;
export type Format = (typeof FORMATS)[number];

/** Limit for a call in `stripped`. */
const MAX_CALL_CHARS = 200;

/** Undefined if nothing of the message is left in the format. */
export function renderMessage(message: Message, format: Format): string | undefined {
  const pieces = piecesOf(message, format);
  return pieces.length === 0 ? undefined : pieces.join("");
}

/** The text in pieces, most of which are strings of the message itself. */
function piecesOf(message: Message, format: Format): string[] {
  const pieces: string[] = [];
  if (format === "user_only" && message.role !== "user") return pieces;
  for (const part of message.parts) {
    const frame = framePart(part, format);
    if (!frame) continue;
    if (pieces.length > 0) pieces.push("\n");
    if (frame.head !== "") pieces.push(frame.head);
    if (frame.body !== "") pieces.push(frame.body);
  }
  return pieces;
}

/** A part's text: a generated head, and a body that is a string of the message itself, to avoid copying it. */
interface Frame {
  head: string;
  body: string;
}

function framePart(part: Part, format: Format): Frame | undefined {
  if (part.type === "text") return part.text === "" ? undefined : { head: "", body: part.text };
  if (format === "user_only") return undefined;
  if (part.type === "thinking") {
    return format === "stripped" || part.text === "" ? undefined : { head: "[thinking] ", body: part.text };
  }
  if (part.type === "tool_call") {
    return { head: format === "full" ? callText(part) : shortCall(part, MAX_CALL_CHARS), body: "" };
  }
  if (format === "stripped") return { head: `[result${resultFacts(part, countLines(part.output))}]`, body: "" };
  const head = `[result${resultFacts(part)}]`;
  return part.output === "" ? { head, body: "" } : { head: `${head}\n`, body: part.output };
}

/** `: Bash, exit 1, 156 lines` */
function resultFacts(result: ToolResultPart, lines?: number): string {
  const facts: string[] = [];
  if (result.name) facts.push(clip(result.name, 60));
  if (result.exit_code !== undefined) facts.push(`exit ${result.exit_code}`);
  else if (result.is_error) facts.push("error");
  if (result.agent) facts.push(`agent ${result.agent}`);
  if (lines !== undefined) facts.push(lines === 1 ? "1 line" : `${lines} lines`);
  return facts.length === 0 ? "" : `: ${facts.join(", ")}`;
}

export type Measure = Record<Format, number>;

/** Tokens of the message in each format. */
export function measureMessage(message: Message): Measure {
  const full = measureAs(message, "full");
  const onlyText = message.parts.every((part) => part.type === "text");
  return {
    full,
    stripped: onlyText ? full : measureAs(message, "stripped"),
    user_only: message.role !== "user" ? 0 : onlyText ? full : measureAs(message, "user_only"),
  };
}

function measureAs(message: Message, format: Format): number {
  return estimatePieces(piecesOf(message, format));
}

const MAX_HEAD_CHARS = 100;

/** One line that describes the message: its text, else its thinking, calls or results. */
export function headLine(message: Message, project?: string): string {
  for (const part of message.parts) {
    if (part.type !== "text") continue;
    const line = firstLine(part.text, MAX_HEAD_CHARS);
    if (line !== "") return line;
  }
  return (
    actsLine(message, project) || clip(message.parts.find((part) => part.type === "text")?.text ?? "", MAX_HEAD_CHARS)
  );
}

function actsLine(message: Message, project: string | undefined): string {
  const acts: string[] = [];
  let thought = "";
  for (const part of message.parts) {
    if (part.type === "tool_call") acts.push(callHead(part, project));
    else if (part.type === "tool_result") acts.push(resultHead(part));
    else if (part.type === "thinking" && thought === "")
      thought = firstLine(part.text, MAX_HEAD_CHARS - "[thinking] ".length);
  }
  if (acts.length === 0) return thought === "" ? "" : `[thinking] ${thought}`;
  return joinHeads(acts);
}

/** `[Read: src/a.ts]` */
function callHead(call: ToolCallPart, project: string | undefined): string {
  const name = clip(call.name, 60);
  const about = clipMain(call, mainArgument(call, project), MAX_HEAD_CHARS - name.length - 4);
  return about === "" ? `[${name}]` : `[${name}: ${about}]`;
}

function resultHead(result: ToolResultPart): string {
  const lines = countLines(result.output);
  const facts = [lines === 1 ? "1 line" : `${lines} lines`];
  if (result.exit_code !== undefined) facts.unshift(`exit ${result.exit_code}`);
  else if (result.is_error) facts.unshift("error");
  const head = `[${clip(result.name ?? "result", 60)} → ${facts.join(", ")}]`;
  const line = firstLine(result.output, MAX_HEAD_CHARS - head.length - 1);
  return line === "" ? head : `${head} ${line}`;
}

/** As many heads as fit on the line, and how many did not. */
function joinHeads(heads: string[]): string {
  let line = heads[0] ?? "";
  for (let i = 1; i < heads.length; i += 1) {
    const left = ` +${heads.length - i}`;
    const longer = `${line} ${heads[i]}`;
    const reserve = i < heads.length - 1 ? ` +${heads.length - i - 1}`.length : 0;
    if (longer.length + reserve > MAX_HEAD_CHARS) return clip(line, MAX_HEAD_CHARS - left.length) + left;
    line = longer;
  }
  return line;
}
