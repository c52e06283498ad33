/**
 * The scan: a whole conversation at one line a message, in the manner of `cat -n`.
 *
 *      4	[tool] 10:00:18 | [Bash: npm test → 0] "Tests passed…"
 *
 * How much of each thing is shown grows linearly with tokens-per-message; the table below holds for 50.
 */
import { isObject, type Json, type JsonObject } from "../kernel/json.ts";
import { BUDGET_MARGIN, estimateTokens } from "../kernel/tokens.ts";
import { clip, clipPath, countLines } from "../text/clip.ts";
import { OpenCalls } from "./calls.ts";
import { mainArgument } from "./input.ts";
import type { Message, Part, Role, ToolCallPart, ToolResultPart } from "./model.ts";
import { callKind, type ToolKind, toolKind } from "./tools.ts";

/** Characters shown at 50 tokens a message. */
const TEXT_LIMIT: Record<Role, number> = { user: 200, assistant: 80, tool: 80, system: 80 };
const THINKING_LIMIT = 50;
const PARAMETER_LIMIT = 60;
const EDIT_LIMIT = 80;
const ERROR_LIMIT = 150;
/** What is shown of an output; nothing of a file that was read or edited. */
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
const MOST_TOKENS_PER_MESSAGE = 1000;

/** Something shown at a length that depends on the scale: `before` + text + `after`, or `empty` when no text is left. */
interface Piece {
  before: string;
  text: string;
  after: string;
  empty: string;
  base: number;
  /** Cut at its beginning. */
  path: boolean;
}

interface ScannedCall {
  name: string;
  main: string;
  kind: ToolKind;
}

/** Remembers the calls of earlier messages: a result's line tells what was asked. Feed messages in order. */
export class ScanContext {
  readonly project: string | undefined;
  readonly calls = new OpenCalls<ScannedCall>();

  /** Paths below `project` are shown relative to it. */
  constructor(project?: string) {
    this.project = project;
  }
}

export function scanLine(index: number, message: Message, tokensPerMsg: number, context: ScanContext): string {
  return lineOf(index, message, piecesOf(message, context), tokensPerMsg);
}

/**
 * The largest tokens-per-message at which the scan of all messages stays within `targetTokens`, surely, that is, with
 * the estimate's margin added. 0 when not even the barest scan does: such a scan has to be read in parts.
 */
export function chooseTokensPerMsg(messages: readonly Message[], targetTokens: number, project?: string): number {
  const context = new ScanContext(project);
  const prepared = messages.map((message) => piecesOf(message, context).map(shortenPiece));
  const linesAt = (scale: number, from: number, to: number): string =>
    messages
      .slice(from, to)
      .map((message, i) => lineOf(from + i, message, prepared[from + i] ?? [], scale))
      .join("\n");
  // Gives up as soon as the target is passed, so that a scale far too large costs no more than one that fits.
  const fits = (scale: number): boolean => {
    let tokens = 0;
    for (let from = 0; from < messages.length; from += BATCH) {
      tokens += estimateTokens(linesAt(scale, from, from + BATCH));
      if (tokens * BUDGET_MARGIN > targetTokens) return false;
    }
    return true;
  };

  let fitting = 0;
  let tooLarge = MOST_TOKENS_PER_MESSAGE + 1;
  while (tooLarge - fitting > 1) {
    const middle = Math.floor((fitting + tooLarge) / 2);
    if (fits(middle)) fitting = middle;
    else tooLarge = middle;
  }
  // The batches were measured apart; the promise is about the whole.
  while (fitting > 0 && estimateTokens(linesAt(fitting, 0, messages.length)) * BUDGET_MARGIN > targetTokens)
    fitting -= 1;
  return fitting;
}

const BATCH = 100;

function lineOf(index: number, message: Message, pieces: Piece[], tokensPerMsg: number): string {
  const time = message.time === undefined ? "" : ` ${message.time.slice(11, 19)}`;
  let line = `${String(index).padStart(6)}\t[${message.role}]${time} |`;
  for (const piece of pieces) {
    const shown = textAt(piece, tokensPerMsg);
    const part = shown === "" ? piece.empty : piece.before + shown + piece.after;
    if (part !== "") line += ` ${part}`;
  }
  return line;
}

function textAt(piece: Piece, tokensPerMsg: number): string {
  const limit = Math.round((piece.base * tokensPerMsg) / LIMITS_HOLD_AT);
  return piece.path ? clipPath(piece.text, limit) : clip(piece.text, limit);
}

/** As much of the text as any scale tried by the choice can show: the rest is not gone through again and again. */
function shortenPiece(piece: Piece): Piece {
  return { ...piece, text: textAt(piece, MOST_TOKENS_PER_MESSAGE) };
}

function piecesOf(message: Message, context: ScanContext): Piece[] {
  return message.parts.flatMap((part) => partPieces(part, message.role, context));
}

function partPieces(part: Part, role: Role, context: ScanContext): Piece[] {
  switch (part.type) {
    case "text":
      return [quoted(part.text, TEXT_LIMIT[role])];
    case "thinking": {
      if (part.text === "") return [];
      const head = `[thinking:${part.text.length}c]`;
      return [piece(`${head} `, part.text, "", head, THINKING_LIMIT)];
    }
    case "tool_call":
      return callPieces(part, context);
    case "tool_result":
      return resultPieces(part, context);
  }
}

function callPieces(call: ToolCallPart, context: ScanContext): Piece[] {
  const kind = callKind(call);
  const name = clip(call.name, 60);
  const main = mainArgument(call, context.project);
  context.calls.add(call, { name, main, kind });
  const pieces = [argument(name, main, "", kind)];
  if (kind !== "edit") return pieces;
  const { old, new: written, more } = editTexts(call.input);
  if (old !== "") pieces.push(piece('old:"', old, '"', "", EDIT_LIMIT));
  if (written !== "") pieces.push(piece('new:"', written, '"', "", EDIT_LIMIT));
  if (more > 0) pieces.push(fixed(`+${more} more`));
  return pieces;
}

function resultPieces(result: ToolResultPart, context: ScanContext): Piece[] {
  const call = context.calls.take(result);
  const name = call?.name ?? clip(result.name ?? "result", 60);
  const kind = call?.kind ?? toolKind(result.name ?? "");
  const outcome = outcomeOf(result, kind);
  const head = argument(name, call?.main ?? "", ` → ${outcome}`, kind);
  return [head, quoted(result.output, result.is_error ? ERROR_LIMIT : OUTPUT_LIMIT[kind])];
}

/** `[Read: src/auth.ts → 156 lines]`, of which the middle depends on the scale. */
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

/** What an edit takes out and puts in; of several edits the first, and how many more there are. */
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

function quoted(text: string, base: number): Piece {
  return piece('"', text, '"', "", base);
}

function fixed(text: string): Piece {
  return { before: "", text: "", after: "", empty: text, base: 0, path: false };
}
