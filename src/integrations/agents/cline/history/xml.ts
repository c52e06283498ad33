/**
 * Tool calls that models wrote as XML in their text, before Cline used the providers' own tool calls:
 * `<read_file><path>a.ts</path></read_file>`.
 *
 * dex recognises a call only if its name is a known tool and its body consists of parameters; everything else stays
 * text. Values are raw: file contents and diffs may contain any tag, so they end at the last closing tag, not the
 * first.
 */
import type { Part } from "../../../../conversations/model.ts";
import { type JsonObject, parseJson } from "../../../../kernel/json.ts";
import { textPart } from "../../../history/building/blocks.ts";

const TOOLS = new Set(
  (
    "access_mcp_resource act_mode_respond apply_diff apply_patch ask_followup_question attempt_completion " +
    "browser_action codebase_search condense edit_file execute_command fetch_instructions generate_image " +
    "insert_code_block insert_content list_code_definition_names list_files load_mcp_documentation new_rule new_task " +
    "plan_mode_respond plan_mode_response read_file replace_in_file report_bug run_slash_command search_and_replace " +
    "search_files summarize_task switch_mode update_todo_list use_mcp_tool use_skill use_subagents web_fetch web_search " +
    "write_to_file"
  ).split(" "),
);

const RAW = new Set(
  "args arguments code_edit content context diff message new_string old_string operations replace result todos".split(
    " ",
  ),
);

/** A message contains a handful of calls; a text full of unclosed tags must not take quadratic time. */
const MAX_TRIES = 200;

/** The text as parts: plain text, thoughts in `<thinking>`, and calls. */
export function partsOfText(text: string): Part[] {
  const parts: Part[] = [];
  const add = (part: Part | undefined): void => {
    if (part) parts.push(part);
  };
  const opening = /<([a-z][a-z_]*)>/g;
  let from = 0;
  let tries = 0;
  for (let match = opening.exec(text); match && tries < MAX_TRIES; match = opening.exec(text)) {
    const name = match[1] ?? "";
    if (name !== "thinking" && !TOOLS.has(name)) continue;
    tries += 1;
    const closing = `</${name}>`;
    const close = text.indexOf(closing, opening.lastIndex);
    if (close < 0) continue;
    const body = text.slice(opening.lastIndex, close);
    const input = name === "thinking" ? undefined : parameters(body);
    if (name !== "thinking" && !input) continue;
    add(textPart("text", text.slice(from, match.index)));
    add(input ? { type: "tool_call", name, input } : textPart("thinking", body));
    from = close + closing.length;
    opening.lastIndex = from;
  }
  add(textPart("text", text.slice(from)));
  return parts;
}

function parameters(body: string): JsonObject | undefined {
  const found: JsonObject = {};
  const opening = /\s*<([a-z][a-z0-9_]*)>/y;
  let at = 0;
  while (body.slice(at).trim() !== "") {
    opening.lastIndex = at;
    const name = opening.exec(body)?.[1];
    if (name === undefined) return undefined;
    const start = opening.lastIndex;
    const closing = `</${name}>`;
    const end = RAW.has(name) ? body.lastIndexOf(closing) : body.indexOf(closing, start);
    if (end < start) return undefined;
    found[name] = value(name, body.slice(start, end));
    at = end + closing.length;
  }
  return at === 0 ? undefined : found;
}

function value(name: string, raw: string): JsonObject[string] {
  const text = raw.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
  return name === "arguments" ? (parseJson(text) ?? text) : text;
}
