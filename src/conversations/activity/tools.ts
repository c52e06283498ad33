/**
 * Classifies the tools of all agents by what they do.
 *
 * Every agent has its own names for the same few actions (Edit, str_replace_editor, search_replace, apply_patch …). A
 * table lists the common ones; words in the name decide about the rest.
 */
import { isObject, type Json } from "../../kernel/json.ts";
import type { ToolCallPart } from "../model.ts";

export type ToolKind = "edit" | "read" | "shell" | "search" | "list" | "web" | "agent" | "other";

const KNOWN: Record<Exclude<ToolKind, "other">, string> = {
  edit:
    "edit write multiedit notebookedit editnotebook applypatch patch strreplace strreplaceeditor " +
    "strreplacebasededittool texteditor editor create replace insert insertcontent insertedit applydiff applyedit " +
    "searchreplace searchandreplace replaceinfile replacefilecontent multireplacefilecontent " +
    "replacestringinfile multireplacestringinfile inserteditintofile writetofile reapply fswrite delete savefile removefiles",
  read: "read view cat open notebookread readnotebook viewimage fsread viewfile viewcodeitem",
  shell:
    "bash shell exec execcommand shellcommand localshell localshellcall runterminalcmd runterminalcommand " +
    "runterminalcommandv2 runinterminal runshellcommand executecommand executebash executepwsh terminal execute " +
    "powershell command runcommand bashexecution cmd launchprocess",
  search:
    "grep glob search ripgrep rg codebasesearch grepsearch filesearch searchfiles searchfilecontent " +
    "findfiles globfilesearch semanticsearch toolsearch",
  list: "ls list listdir listdirectory listfiles readdir tree directorytree createdirectory",
  web: "webfetch websearch fetch fetchurl readurlcontent searchweb browseraction navigate googlewebsearch",
  agent: "task agent subagent spawnagent newtask delegate invokesubagent usesubagents runsubagent",
};

const KINDS = new Map<string, ToolKind>();
for (const kind of Object.keys(KNOWN) as (keyof typeof KNOWN)[]) {
  for (const name of KNOWN[kind].split(" ")) KINDS.set(name, kind);
}

/** For names that are not in the table; the first match counts. */
const BY_WORD: [RegExp, ToolKind][] = [
  [/^strreplace|^multiedit|^applypatch/, "edit"],
  [/grep|glob|search|^find/, "search"],
  [/^list|dir|folder|tree/, "list"],
  [
    /(?:write|edit|create|replace|delete|remove|move|rename|insert|append|update|patch).*file|file.*(?:edit|write)/,
    "edit",
  ],
  [/(?:read|view|open|get|cat).*(?:file|image|notebook)/, "read"],
  [/shell|terminal|(?:run|exec).*command/, "shell"],
  [/fetch|browse|url/, "web"],
];

const MAX_DECIDED = 2000;
/** Results by name. */
const decided = new Map<string, ToolKind>();

export function toolKind(name: string): ToolKind {
  const before = decided.get(name);
  if (before) return before;
  const bare = bareName(name);
  const kind = KINDS.get(bare) ?? BY_WORD.find(([pattern]) => pattern.test(bare))?.[1] ?? "other";
  if (decided.size < MAX_DECIDED) decided.set(name, kind);
  return kind;
}

/** Without a server's or namespace's prefix (`mcp__files__read_file`, `functions.exec`), case and separators. */
function bareName(name: string): string {
  const last =
    name
      .slice(name.search(/[^./:]*$/))
      .split("__")
      .pop() ?? "";
  return last.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The kind of a call. Tools that do several things state it in a `command` argument. */
export function callKind(call: ToolCallPart): ToolKind {
  const kind = toolKind(call.name);
  if (kind !== "edit" || !isObject(call.input)) return kind;
  return call.input.command === "view" || call.input.command === "read" ? "read" : kind;
}

const COMMAND_KEYS = ["command", "cmd", "CommandLine", "commandLine", "script", "input"];

/** The command line passed to a shell tool. */
export function shellCommand(call: ToolCallPart): string | undefined {
  if (toolKind(call.name) !== "shell") return undefined;
  const { input } = call;
  const key = isObject(input) ? COMMAND_KEYS.find((name) => input[name] !== undefined) : undefined;
  const given = isObject(input) ? key && input[key] : input;
  if (typeof given === "string") return given;
  // Cline: several commands, one after the other.
  if (given === undefined && isObject(input) && Array.isArray(input.commands)) return linesText(input.commands);
  return Array.isArray(given) ? argvText(given) : undefined;
}

function linesText(commands: Json[]): string | undefined {
  const lines = commands.filter((command) => typeof command === "string");
  return lines.length > 0 ? lines.join("\n") : undefined;
}

/** `["bash", "-lc", "npm test"]` is `npm test`: the wrapping shell is omitted. */
function argvText(argv: Json[]): string {
  const words = argv.filter((word) => typeof word === "string");
  if (words.length >= 3 && /(?:^|\/)(?:ba|z|da|fi)?sh$/.test(words[0] ?? "") && /^-\w*c$/.test(words[1] ?? "")) {
    return words.slice(2).join(" ");
  }
  return words.join(" ");
}
