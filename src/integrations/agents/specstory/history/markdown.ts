/**
 * The markdown that SpecStory writes, as a stream of blocks: turns, text, thinking, tools.
 *
 * The hard part is telling a mark from a quotation of one. Transcripts quote other transcripts, older versions did not
 * make their fences longer than the fences inside them, and people paste half a code block. Two facts decide: no turn
 * is older than its session, and a turn inside an open block cannot be older than the turn with the block.
 */
import { toIso } from "../../../../kernel/time.ts";
import { boundWhole } from "../../../../text/clip.ts";
import { MAX_TITLE_CHARACTERS } from "../../../history/building/wrappers.ts";
import { type Fence, LookAhead, nextFence, trimLines } from "../../../history/reading/markdown.ts";

export interface Turn {
  type: "turn";
  role: "user" | "assistant";
  sidechain: boolean;
  model?: string;
  time?: string;
  /** The agent's own id of the record, in files that were written with ids. */
  uid?: string;
}

export interface ToolBlock {
  type: "tool";
  name: string;
  /** SpecStory's own class of tool: shell, read, write, search, task, generic, unknown; empty in old files. */
  kind: string;
  summary: string;
  body: string[];
}

export type MarkdownBlock =
  | { type: "session"; agent: string; id: string; time?: string }
  | { type: "heading"; text: string }
  | Turn
  | { type: "text" | "thinking"; text: string }
  | ToolBlock;

const TURN = /^_\*\*(User|Agent|Assistant)?( - sidechain)?(?::[^()]*)?(?: ?\((.*)\))?\*\*_\s*$/;
const TIME = /(?:^|[ ,])(\d{4}-\d\d-\d\d)[T_ ](\d\d)[:-](\d\d)(?:[:-](\d\d(?:\.\d+)?))? ?(Z|[+-]\d\d:?\d\d)?$/;
const SESSION = /^(?:<!--|##) (.+?) Session ([\w.-]+)(?: \((.*?)\))?(?: -->)?\s*$/;
const COMMENT = /^<!-- .* -->\s*$/;
const MESSAGE_ID = /^<!-- message-id: (\S+) -->\s*$/;
const TOOL_OPEN = /^<tool-use data-tool-type="([^"]*)" data-tool-name="([^"]*)">/;
const TOOL_CLOSE = /^(?:<\/details>)?\s*<\/tool-use>\s*$/;
const THINK_OPEN = /^<think>(?:<details>)?(?:<summary>[^<]*<\/summary>)?/;
const THINK_CLOSE = /(?:<\/details>)?<\/think>\s*$/;
const DETAILS_OPEN = /^<details>/;
const DETAILS_CLOSE = /^<\/details>\s*$/;
const NAMED_TOOL = /^Tool use: \*\*(.+?)\*\*\s*(.*)$/;
const BARE_READ = /^Read file: \S/;
const RULE = /^---\s*$/;
/** Every line of an agent's text is looked at, so its first character rules most of them out. */
const FIRST_OF_BLOCKS: ReadonlySet<string> = new Set(["<", "T", "R"]);
const NONE: readonly MarkdownBlock[] = [];

/** How the summary of a tool began before tools had names. */
const PHRASES: readonly (readonly [RegExp, string, string])[] = [
  [/^Searched (?:codebase|for)\b/, "codebase_search", "search"],
  [/^Grep(?:ped| search| for)\b/, "grep_search", "search"],
  [/^Listed\b/, "list_dir", "search"],
  [/^(?:Searched files|File search)\b/, "file_search", "search"],
  [/^(?:Searched web|Web search)\b/, "web_search", "search"],
  [/^Read lints\b/, "read_lints", "read"],
  [/^Read file\b/, "read_file", "read"],
  [/^(?:Edit|Create|Delete)(?:d|ed)? file\b/, "edit_file", "write"],
  [/^(?:Run|Ran) command\b/, "run_terminal_cmd", "shell"],
];

export function parseBlocks(source: Iterable<string>): Generator<MarkdownBlock> {
  return new BlockParser(source).blocks();
}

class BlockParser {
  readonly #lines: LookAhead;
  #agent: string | undefined;
  /** When the session began. */
  #born: string | undefined;
  #turn: Turn | undefined;
  #text: string[] = [];
  #fence: Fence | undefined;
  /** A turn mark that is not a turn was seen: the rest of this turn shows another transcript. */
  #quoting = false;

  constructor(source: Iterable<string>) {
    this.#lines = new LookAhead(source);
  }

  *blocks(): Generator<MarkdownBlock> {
    const lines = this.#lines;
    for (let line = lines.next(); line !== undefined; line = lines.next()) {
      const begun = lines.afterBlank ? this.#turnAt(line, this.#fence !== undefined) : undefined;
      const blocks = begun ? this.#begin(begun) : this.#turn ? this.#inTurn(line, this.#turn) : this.#head(line);
      if (blocks.length > 0) yield* blocks;
    }
    yield* this.#takeText();
  }

  #begin(turn: Turn): MarkdownBlock[] {
    const said = this.#takeText();
    this.#turn = turn;
    this.#quoting = false;
    const id = MESSAGE_ID.exec(this.#lines.peek() ?? "")?.[1];
    if (id !== undefined) this.#lines.next();
    return [...said, id === undefined ? turn : { ...turn, uid: id }];
  }

  /** A line before the first turn. */
  #head(line: string): readonly MarkdownBlock[] {
    const found = SESSION.exec(line);
    if (found) {
      const agent = found[1] ?? "";
      this.#agent = agent;
      this.#born = parseTime(found[3] ?? "");
      return [{ type: "session", agent, id: found[2] ?? "", time: this.#born }];
    }
    if (/^#{1,2} \S/.test(line)) {
      return [{ type: "heading", text: boundWhole(line.slice(line.indexOf(" ")).trim(), MAX_TITLE_CHARACTERS) }];
    }
    if (!COMMENT.test(line)) this.#text.push(line);
    return NONE;
  }

  #inTurn(line: string, turn: Turn): readonly MarkdownBlock[] {
    this.#quoting ||= this.#fence === undefined && parseTurn(line) !== undefined;
    // A person's own text may quote such blocks; only an agent's turn has them.
    const mayHaveBlocks = this.#fence === undefined && turn.role === "assistant" && !this.#quoting;
    const blocks = mayHaveBlocks && FIRST_OF_BLOCKS.has(line.charAt(0)) ? this.#blockAt(line) : undefined;
    if (blocks) return [...this.#takeText(), ...blocks()];
    if (this.#fence === undefined && RULE.test(line) && (this.#turnEnds() || isSectioned(this.#agent))) return NONE;
    this.#fence = nextFence(this.#fence, line);
    this.#text.push(line);
    return NONE;
  }

  /** Reads the block that begins with the line; undefined if none does. */
  #blockAt(line: string): (() => MarkdownBlock[]) | undefined {
    const lines = this.#lines;
    const think = THINK_OPEN.exec(line);
    if (think) return () => this.#thinking(line.slice(think[0].length));
    const open = TOOL_OPEN.exec(line);
    if (open) {
      const rest = line.slice(open[0].length);
      const isClose = (at: string): boolean => at.includes("</tool-use>") && TOOL_CLOSE.test(at);
      return () => [toolBlock(open[2] ?? "", open[1] ?? "", [rest, ...this.#takeBody(isClose)])];
    }
    const details = DETAILS_OPEN.test(line) ? detailsTool(line, lines) : undefined;
    if (details) {
      const [name, kind] = details;
      return () => [toolBlock(name, kind, [line, ...this.#takeBody((at) => DETAILS_CLOSE.test(at))])];
    }
    const named = lines.afterBlank ? NAMED_TOOL.exec(line) : null;
    if (named) {
      const isTurn = (at: string): boolean => this.#turnAt(at, true) !== undefined;
      return () => [toolBlock(named[1] ?? "", "", [named[2] ?? "", ...takeSection(lines, isTurn)])];
    }
    if (!BARE_READ.test(line)) return undefined;
    return () => [{ type: "tool", name: "read_file", kind: "read", summary: line.trim(), body: [] }];
  }

  #thinking(rest: string): MarkdownBlock[] {
    const held = THINK_CLOSE.test(rest) ? [rest] : [rest, ...this.#takeBody((at) => THINK_CLOSE.test(at))];
    const text = held.join("\n").replace(THINK_CLOSE, "").trim();
    return text === "" ? [] : [{ type: "thinking", text }];
  }

  /** A turn mark, unless it is older than a turn in this position can be. */
  #turnAt(line: string | undefined, inside: boolean): Turn | undefined {
    const found = line === undefined ? undefined : parseTurn(line);
    if (!found) return undefined;
    if (found.time === undefined) return inside ? undefined : found;
    if (this.#born && found.time < this.#born) return undefined;
    return inside && this.#turn?.time && found.time < this.#turn.time ? undefined : found;
  }

  /** The turn ends here: at the end of the file, or before another turn with or without a rule between them. */
  #turnEnds(): boolean {
    const next = this.#lines.ahead(0);
    const then = next !== undefined && RULE.test(next) ? this.#lines.ahead(1) : next;
    return then === undefined || this.#turnAt(then, false) !== undefined;
  }

  #takeText(): MarkdownBlock[] {
    // The rule before a turn is not part of the text, even if an open fence hid it.
    const said = trimLines(this.#text.join("\n"));
    const joined = said.endsWith("\n\n---") ? said.slice(0, -3).trimEnd() : said;
    this.#text = [];
    this.#fence = undefined;
    return joined === "" ? [] : [{ type: "text", text: joined }];
  }

  /** The lines of a block. A turn that must be a real one ends a block that was never closed. */
  #takeBody(isClose: (line: string) => boolean): string[] {
    const lines = this.#lines;
    const held: string[] = [];
    let open: Fence | undefined;
    for (;;) {
      const line = lines.peek();
      if (line === undefined || (lines.peekAfterBlank && this.#turnAt(line, true))) return held;
      lines.next();
      if (isClose(line)) {
        const quoted = open !== undefined || parseTurn(lines.ahead(0) ?? "") !== undefined;
        if (!quoted || this.#turnEnds()) return held;
      }
      open = nextFence(open, line);
      held.push(line);
    }
  }
}

/** Cursor's extension puts a rule between the sections of one turn. */
function isSectioned(agent: string | undefined): boolean {
  return agent === undefined || /cursor/i.test(agent);
}

function parseTurn(line: string): Turn | undefined {
  const match = line.startsWith("_**") ? TURN.exec(line) : null;
  if (!match) return undefined;
  const inner = match[3]?.trim() ?? "";
  const when = TIME.exec(inner);
  const rest = (when ? inner.slice(0, when.index) : inner).replace(/(?:^|,) *mode:? [^,]*$/, "");
  const model = rest.replace(/^model:? /, "").trim();
  const sidechain = match[2] !== undefined;
  // In a sidechain, the calling agent's prompt is the turn without a model.
  const role = match[1] === "User" || (sidechain && model === "") ? "user" : "assistant";
  const turn: Turn = { type: "turn", role, sidechain };
  if (role === "assistant" && model !== "" && model !== "<synthetic>") turn.model = model;
  const time = when ? timeOf(when) : undefined;
  if (time) turn.time = time;
  return turn;
}

/** The time at the end of a text, as SpecStory writes it; without a zone it is local time. */
export function parseTime(text: string): string | undefined {
  const match = TIME.exec(text.trim());
  return match ? timeOf(match) : undefined;
}

function timeOf([, day, hour, minute, second, zone]: RegExpExecArray): string | undefined {
  const offset = zone && zone !== "Z" ? zone.replace(/^(...)(\d\d)$/, "$1:$2") : (zone ?? "");
  return toIso(`${day}T${hour}:${minute}:${second ?? "00"}${offset}`);
}

/** Name and kind of the tool that a `<details>` block shows, or undefined if it is part of a text. */
function detailsTool(line: string, lines: LookAhead): readonly [string, string] | undefined {
  const at = line.includes("<summary>") ? line : lines.ahead(0);
  const summary = /<summary>(.*?)(?:<\/summary>|$)/.exec(at ?? "")?.[1]?.trim();
  if (summary === undefined) return undefined;
  const named = NAMED_TOOL.exec(summary);
  if (named) return [named[1] ?? "", ""];
  const phrase = PHRASES.find(([pattern]) => pattern.test(summary));
  return phrase ? [phrase[1], phrase[2]] : undefined;
}

/** Before tools had a tag, one extended to the next rule, tool or turn. */
function takeSection(lines: LookAhead, isTurn: (line: string) => boolean): string[] {
  const held: string[] = [];
  let fence: Fence | undefined;
  for (;;) {
    const line = lines.peek();
    if (line === undefined || (lines.peekAfterBlank && isTurn(line))) return held;
    if (!fence && (RULE.test(line) || NAMED_TOOL.test(line) || parseTurn(line))) return held;
    fence = nextFence(fence, line);
    held.push(line);
    lines.next();
  }
}

const SUMMARY_LINES = 40;

/** The summary is the first thing in a tool; the tags around it are not part of the body. */
function toolBlock(name: string, kind: string, held: readonly string[]): ToolBlock {
  let body = held
    .slice(0, SUMMARY_LINES)
    .join("\n")
    .replace(/^\s*(?:<details>)?\s*/, "");
  let summary = "";
  const found = /^<summary>([\s\S]*?)<\/summary>/.exec(body);
  if (found) {
    summary = found[1]?.trim() ?? "";
    body = body.slice(found[0].length);
  }
  const lines = [...body.split("\n"), ...held.slice(SUMMARY_LINES)];
  const isPadding = (line: string | undefined): boolean => line !== undefined && /^(?:<\/details>)?\s*$/.test(line);
  while (isPadding(lines.at(-1))) lines.pop();
  while (lines[0]?.trim() === "") lines.shift();
  return { type: "tool", name, kind: kind === "" ? kindOf(name) : kind, summary, body: lines };
}

/** The class of a tool in files that do not name it. */
function kindOf(name: string): string {
  if (/terminal|shell|bash|exec|command/i.test(name)) return "shell";
  if (/search|grep|glob|list|^ls$/i.test(name)) return "search";
  if (/edit|write|replace|patch|create|delete/i.test(name)) return "write";
  return /read|fetch|view/i.test(name) ? "read" : "generic";
}
