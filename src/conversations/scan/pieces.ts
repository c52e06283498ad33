/**
 * The content of one message in a scan: its parts as pieces whose length grows with the detail. The limits below are
 * characters at detail 50; at detail 25 half as many are shown.
 */
import { isObject, type Json, type JsonObject } from "../../kernel/json.ts";
import { clip, clipPath, countLines } from "../../text/clip.ts";
import { OpenCalls } from "../activity/calls.ts";
import { mainArgument } from "../activity/input.ts";
import { callKind, type ToolKind, toolKind } from "../activity/tools.ts";
import type { Message, Part, Role, ToolCallPart, ToolResultPart } from "../model.ts";

/** The most characters of a text, by role. */
const TEXT_LIMIT: Record<Role, number> = { user: 200, assistant: 80, tool: 80, system: 80 };
const THINKING_LIMIT = 50;
const PARAMETER_LIMIT = 60;
const EDIT_LIMIT = 80;
const ERROR_LIMIT = 150;
/** The shown part of a tool's output; files that were read or edited show nothing. */
const OUTPUT_LIMIT: Record<ToolKind, number> = {
  shell: 150,
  search: 100,
  list: 100,
  web: 100,
  agent: 100,
  other: 100,
  read: 0,
  edit: 0,
};
const LIMITS_HOLD_AT = 50;
/** A shorter excerpt of a text is left out, because it tells nothing. */
const MIN_SHOWN_CHARS = 12;

/** Text whose shown length depends on the detail: `before` + text + `after`, or `empty` when no text is left. */
export interface Piece {
  before: string;
  text: string;
  after: string;
  empty: string;
  base: number;
  /** Cut at the start instead of the end. */
  path: boolean;
}

export interface ScannedCall {
  name: string;
  main: string;
  kind: ToolKind;
}

/** Remembers the calls of earlier messages, so a result can show its call. Messages must come in order. */
export class ScanContext {
  readonly project: string | undefined;
  readonly calls = new OpenCalls<ScannedCall>();

  /** Paths inside `project` are shown relative to it. */
  constructor(project?: string) {
    this.project = project;
  }

  called(call: ToolCallPart): ScannedCall {
    const kept = { name: clip(call.name, 60), main: mainArgument(call, this.project), kind: callKind(call) };
    this.calls.add(call, kept);
    return kept;
  }

  /** The call that a result answers, if known. */
  answered(result: ToolResultPart): ScannedCall {
    const name = result.name ?? "";
    return this.calls.take(result) ?? { name: clip(name || "result", 60), main: "", kind: toolKind(name) };
  }
}

/** The piece at this detail; may be empty. */
export function pieceAt(piece: Piece, detail: number): string {
  const limit = Math.round((piece.base * detail) / LIMITS_HOLD_AT);
  if (limit < MIN_SHOWN_CHARS && piece.text.length > limit) return piece.empty;
  const shown = piece.path ? clipPath(piece.text, limit) : clip(piece.text, limit);
  return shown === "" ? piece.empty : piece.before + shown + piece.after;
}

export function messagePieces(message: Message, context: ScanContext): Piece[] {
  return message.parts.flatMap((part) => partPieces(part, message.role, context));
}

function partPieces(part: Part, role: Role, context: ScanContext): Piece[] {
  switch (part.type) {
    case "text":
      return [quoted(part.text, TEXT_LIMIT[role])];
    case "thinking": {
      if (part.text === "") return [];
      return [piece(`[thinking:${part.text.length}c] `, part.text, "", "", THINKING_LIMIT)];
    }
    case "tool_call":
      return callPieces(part, context);
    case "tool_result":
      return resultPieces(part, context);
  }
}

function callPieces(call: ToolCallPart, context: ScanContext): Piece[] {
  const called = context.called(call);
  const pieces = [callPiece(called)];
  if (called.kind !== "edit") return pieces;
  const { old, new: written, more } = editTexts(call.input);
  if (old !== "") pieces.push(piece('old:"', old, '"', "", EDIT_LIMIT));
  if (written !== "") pieces.push(piece('new:"', written, '"', "", EDIT_LIMIT));
  if (more > 0) pieces.push(fixed(`+${more} more`));
  return pieces;
}

function resultPieces(result: ToolResultPart, context: ScanContext): Piece[] {
  const { name, main, kind } = context.answered(result);
  const head = argument(name, main, ` → ${outcomeOf(result, kind)}`, kind);
  return [head, quoted(result.output, result.is_error ? ERROR_LIMIT : OUTPUT_LIMIT[kind])];
}

export function callPiece({ name, main, kind }: ScannedCall): Piece {
  return argument(name, main, "", kind);
}

/** `[Read: src/auth.ts → 156 lines]`, of which the middle depends on the detail. */
function argument(name: string, main: string, outcome: string, kind: ToolKind): Piece {
  const head = piece(`[${name}: `, main, `${outcome}]`, `[${name}${outcome}]`, PARAMETER_LIMIT);
  return kind === "edit" || kind === "read" ? { ...head, path: true } : head;
}

/** `0`, `error`, `ok`, `156 lines` */
function outcomeOf(result: ToolResultPart, kind: ToolKind): string {
  const agent = result.agent === undefined ? "" : `, agent ${result.agent}`;
  if (result.exit_code !== undefined) return `${result.exit_code}${agent}`;
  if (result.is_error) return `error${agent}`;
  if (kind === "edit") return "ok";
  const lines = countLines(result.output);
  return `${lines === 1 ? "1 line" : `${lines} lines`}${agent}`;
}

const OLD_KEYS = ["old_string", "old_str", "oldString", "oldText", "old_text", "search"];
const NEW_KEYS =
  "new_string new_str newString newText new_text replace content file_text fileText contents new_source code_edit diff".split(
    " ",
  );

/** The removed and added text of an edit; for several edits the first, and the number of others. */
function editTexts(input: Json): { old: string; new: string; more: number } {
  if (!isObject(input)) return { old: "", new: "", more: 0 };
  const edits = Array.isArray(input.edits) ? input.edits.filter(isObject) : [];
  const first = edits[0] ?? input;
  return { old: textUnder(first, OLD_KEYS), new: textUnder(first, NEW_KEYS), more: Math.max(0, edits.length - 1) };
}

function textUnder(object: JsonObject, keys: readonly string[]): string {
  for (const key of keys) {
    const value = object[key];
    if (typeof value === "string") return value;
  }
  return "";
}

function piece(before: string, text: string, after: string, empty: string, base: number): Piece {
  return { before, text, after, empty, base, path: false };
}

export function quoted(text: string, base: number): Piece {
  return piece('"', text, '"', "", base);
}

export function fixed(text: string): Piece {
  return { before: "", text: "", after: "", empty: text, base: 0, path: false };
}
