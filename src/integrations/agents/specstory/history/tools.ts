/**
 * Reads a tool block of SpecStory: the input and the output of one call.
 *
 * SpecStory keeps a rendering, not the records: the input is a line or a code block in one of a few shapes, the output
 * is the last code block or the text after a label. Anything without a known shape stays text, so no word of the block
 * is lost.
 */
import type { ToolCallPart, ToolResultPart } from "../../../../conversations/model.ts";
import type { JsonObject } from "../../../../kernel/json.ts";
import { fenceInfo, nextFence, trimLines } from "../../../history/reading/markdown.ts";
import type { ToolBlock } from "./markdown.ts";

interface ToolParts {
  call: ToolCallPart;
  result?: ToolResultPart;
}

/** `escaped`: the writer replaced marks by HTML entities (Cursor's extension does). */
export function toolParts(block: ToolBlock, escaped: boolean): ToolParts {
  const plain = (text: string): string => (escaped ? unescapeEntities(text) : text);
  const { input, output, failed } = splitBody(block);
  const call: ToolCallPart = { type: "tool_call", name: block.name, input: {} };
  const fields = { ...summaryInput(block, plain), ...bodyInput(block, input, plain) };
  call.input = fields;
  const plainOutput = output === undefined ? undefined : plain(output);
  const files = touchedFiles(block, input.join("\n"), plainOutput ?? "");
  if (files.length > 0) call.files = files;
  if (plainOutput === undefined || plainOutput.trim() === "") return { call };
  return { call, result: toolResult(block.name, plainOutput, failed) };
}

const OUTPUT_LABEL = /^(?:\*\*(Result|Error|Output):\*\*|(Result|Error|Output):)\s*$/;
const ANSWER = /^\*\*Answer:\*\* /;

interface Split {
  input: string[];
  output?: string;
  failed: boolean;
}

function splitBody(block: ToolBlock): Split {
  const { body } = block;
  const label = labelAt(body);
  if (label >= 0) {
    const failed = /Error/.test(body[label] ?? "");
    return { input: body.slice(0, label), output: unfenced(body.slice(label + 1)), failed };
  }
  const answer = block.name === "AskUserQuestion" ? body.findLastIndex((line) => ANSWER.test(line)) : -1;
  if (answer >= 0) {
    const output = body.slice(answer).join("\n").replace(ANSWER, "");
    return { input: body.slice(0, answer), output, failed: false };
  }
  const fence = outputFence(block);
  if (fence >= 0) return { input: body.slice(0, fence), output: unfenced(body.slice(fence)), failed: false };
  // Cursor shows the results of a search as a table, and the question in the summary.
  if (block.summary.includes("•") && (block.kind === "search" || block.kind === "read"))
    return { input: [], output: body.join("\n"), failed: false };
  return { input: body, failed: false };
}

/** The first line outside a fence that announces output, and is followed by a code block. */
function labelAt(body: readonly string[]): number {
  let fence: ReturnType<typeof nextFence>;
  for (const [index, line] of body.entries()) {
    if (!fence && OUTPUT_LABEL.test(line)) {
      const next = body[index + 1] === "" ? body[index + 2] : body[index + 1];
      if (fenceInfo(next ?? "") !== undefined) return index;
    }
    fence = nextFence(fence, line);
  }
  return -1;
}

/**
 * Where the code block with the output begins. Output is a block marked `text` or nothing, up to the end. Its own
 * fences may close it early in old files, so the end of the body counts. Content written to a file is searched
 * backwards, because it may contain such blocks itself.
 */
function outputFence(block: ToolBlock): number {
  const { body } = block;
  const isOutput = (line: string): boolean => /^(?:text)?$/.test(fenceInfo(line) ?? "-");
  if (!/^\s*[`~]{3,}\s*$/.test(body.at(-1) ?? "")) return -1;
  if (block.kind === "write") {
    const marked = body.findLastIndex((line) => /^`{3,}text\s*$/.test(line));
    if (marked >= 0) return marked;
  }
  let fence: ReturnType<typeof nextFence>;
  for (const [index, line] of body.entries()) {
    const open = nextFence(fence, line);
    if (!fence && open && isOutput(line)) return index;
    fence = open;
  }
  return -1;
}

/** The content of one code block; any other text is returned unchanged. */
function unfenced(lines: readonly string[]): string {
  const held = [...lines];
  while (held[0]?.trim() === "") held.shift();
  while (held.at(-1)?.trim() === "") held.pop();
  if (fenceInfo(held[0] ?? "") === undefined || held.length < 2) return held.join("\n");
  if (/^\s*[`~]{3,}\s*$/.test(held.at(-1) ?? "")) held.pop();
  held.shift();
  return unescapeFences(held.join("\n"));
}

/** Old versions put a backslash before fences inside a code block. */
function unescapeFences(text: string): string {
  if (!text.includes("\\```")) return text;
  return text.replace(/^(\s*)\\(?=`{3})/gm, "$1");
}

/** The summary: "Tool use: **name** `command`" or "… • Read file: path". */
function summaryInput(block: ToolBlock, plain: (text: string) => string): JsonObject {
  const shown = plain(block.summary)
    .replace(/^Tool use: \*\*.+?\*\*/, "")
    .replace(/^\s*•\s*/, "")
    .trim();
  if (shown === "") return {};
  const quoted = /^`([\s\S]*)`$/.exec(shown)?.[1];
  if (quoted !== undefined) return block.kind === "shell" ? { command: quoted } : { summary: quoted };
  const file = /^(?:Read|Edit|Create|Delete|Write)(?:d|ed)? file: (.+)$/.exec(shown)?.[1];
  if (file !== undefined) return file === "undefined" ? {} : { file_path: file };
  const command = /^(?:Run|Ran) command: ([\s\S]+)$/.exec(shown)?.[1];
  return command !== undefined ? { command } : { summary: shown };
}

function bodyInput(block: ToolBlock, lines: readonly string[], plain: (text: string) => string): JsonObject {
  const text = trimLines(plain(lines.join("\n")));
  if (text === "") return {};
  const single = text.includes("\n") ? undefined : inlineInput(block, text);
  if (single) return single;
  if (block.kind === "shell") {
    const inline = /^(?:([^\n`][^\n]*)\n)?\n?`([^\n]*)`$/.exec(text);
    if (inline) return described(inline[1], { command: inline[2] ?? "" });
  }
  const fenced = /^(?:([^\n`][^\n]*)\n)?\n?(`{3,})(\w*)\n([\s\S]*)\n\2\s*$/.exec(text);
  if (fenced) {
    const content = unescapeFences(fenced[4] ?? "");
    if (block.kind === "shell") return described(fenced[1], { command: content });
    if (block.name === "Write") return described(fenced[1], { content });
  }
  return { text: unescapeFences(text) };
}

function described(description: string | undefined, fields: JsonObject): JsonObject {
  return description === undefined ? fields : { description, ...fields };
}

/** One line with its values in backticks. */
function inlineInput(block: ToolBlock, text: string): JsonObject | undefined {
  const quoted = /^ ?`([^`]+)`(?: (.+))?$/.exec(text);
  if (quoted) {
    const key =
      { WebFetch: "url", WebSearch: "query" }[block.name] ?? (block.kind === "shell" ? "command" : "file_path");
    return described(quoted[2], { [key]: quoted[1] });
  }
  const search = /^ ?(?:path `([^`]*)`)?(?: ?pattern `(.*?)`)?(?: include `([^`]*)`)?$/.exec(text);
  if (!search || search[0] === "") return undefined;
  const fields: JsonObject = {};
  for (const [key, value] of [
    ["path", search[1]] as const,
    ["pattern", search[2]] as const,
    ["include", search[3]] as const,
  ])
    if (value !== undefined) fields[key] = value;
  return fields;
}

function toolResult(name: string, output: string, failed: boolean): ToolResultPart {
  const result: ToolResultPart = { type: "tool_result", name, output };
  const exit = /^Exit code (\d+)\b/.exec(output) ?? /^Process exited with code (\d+)$/m.exec(output.slice(0, 2000));
  if (exit) result.exit_code = Number(exit[1]);
  if (failed || /^<tool_use_error>/.test(output) || (result.exit_code ?? 0) !== 0) result.is_error = true;
  return result;
}

const WRITTEN = [
  /^The file (.+?) has been (?:updated|created|overwritten)\b/m,
  /^File created successfully at: (.+)$/m,
  /^Created (?:new )?file (\S+)$/m,
];

/** Files that the rendering of an edit names: in the heads of a patch, or only in the tool's result. */
function touchedFiles(block: ToolBlock, input: string, output: string): string[] {
  const found = new Set<string>();
  if (block.kind !== "write" && block.name !== "apply_patch") return [];
  for (const match of input.matchAll(/^\*\*(?:Add|Update|Modify|Delete): `([^`]+)`\*\*$/gm)) found.add(match[1] ?? "");
  for (const pattern of WRITTEN) {
    const path = pattern.exec(output.slice(0, 2000))?.[1];
    if (path) found.add(path.trim());
  }
  return [...found];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", "#96": "`" };

function unescapeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|#96);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
