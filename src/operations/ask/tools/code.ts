/** The verbs about code that a model may call while it answers a question about the current project. */
import * as z from "zod";
import { SourceFiles } from "../../../ask/finding/source_files.ts";
import type { AskTool, ToolFound } from "../../../ask/model/tools.ts";
import type { Passage } from "../../../ask/passage.ts";
import { openFresh } from "../../../code/open.ts";
import { type CodeProject, pathInProject } from "../../../code/project.ts";
import { SourceLines } from "../../../code/source_lines.ts";
import type { Dex } from "../../../dex.ts";
import { DexError } from "../../../kernel/errors.ts";
import { asObject } from "../../../kernel/json.ts";
import { plural } from "../../../kernel/text.ts";
import { redactText } from "../../../redact/redact.ts";
import type { CodeReader } from "../../../store/code.ts";
import { BUDGET_MARGIN, estimateTokens } from "../../../tokens/estimate.ts";
import { code } from "../../code/code.ts";
import { search } from "../../conversations/search.ts";
import { history } from "../../history/history.ts";
import { MAX_RESULT_TOKENS, parameterError, tool, unknownParameter } from "./tool.ts";

/** Definitions returned in full. */
const MAX_FULL_DEFINITIONS = 4;
/** References returned with the lines around them. */
const MAX_EXCERPTS = 8;
const EXCERPT_CONTEXT_LINES = 2;
const MAX_ROWS = 60;

/** `withConversations`: whether history may include conversations. */
export function codeTools(dex: Dex, project: CodeProject, withConversations: boolean): AskTool[] {
  return [
    codeSearch(dex, project),
    codeQuestions(dex, project),
    codeLines(dex, project),
    codeHistory(dex, withConversations),
  ];
}

function codeSearch(dex: Dex, project: CodeProject): AskTool {
  return tool(
    dex,
    search,
    async ({ results }) => {
      const store = await storeOf(dex, project);
      const sources = new SourceFiles(project);
      const budget = Math.floor(
        MAX_RESULT_TOKENS / BUDGET_MARGIN / Math.max(1, Math.min(results.length, MAX_FULL_DEFINITIONS)),
      );
      const passages = results.flatMap(({ path = "", title, first_line = 1, score_final }, i): Passage[] => {
        const entity = entityAt(store, path, first_line, title);
        const passage =
          entity && sources.passage(entity, store, { withMembers: i < MAX_FULL_DEFINITIONS ? budget : 0 });
        return passage ? [{ ...passage, score: score_final }] : [];
      });
      return { passages, text: "" };
    },
    {
      name: "dex_search_code",
      description: "Find definitions in this project's code by names or words; returns their text",
      fixed: { in: "code" },
      without: ["project", "source", "from", "to", "session", "role", "tool"],
    },
  );
}

function codeQuestions(dex: Dex, project: CodeProject): AskTool {
  return tool(
    dex,
    code,
    async (output): Promise<ToolFound> => {
      const { action, symbols, results, total, map, external = [], missing = [] } = output;
      if (action === "map") return { passages: [], text: redactText(map ?? "").text };
      const store = await storeOf(dex, project);
      const sources = new SourceFiles(project);
      const defined = symbols.slice(0, action === "symbol" ? MAX_FULL_DEFINITIONS : 1).flatMap((symbol) => {
        const entity = entityAt(store, symbol.file, symbol.line, symbol.name);
        return entity
          ? (sources.passage(entity, store, {
              withMembers: action === "symbol" ? MAX_RESULT_TOKENS / MAX_FULL_DEFINITIONS : 0,
            }) ?? [])
          : [];
      });
      // For references to the target show the referring line; for what it refers to, the definition.
      const names = action === "callers" || action === "importers" || action === "tests" || action === "impact";
      const places = results.slice(0, action === "symbol" || action === "related" ? 0 : MAX_EXCERPTS).flatMap((row) => {
        const at = names ? (row.at ?? row.line) : row.line;
        return (
          sources.excerpt(row.file, at - (names ? EXCERPT_CONTEXT_LINES : 0), at + EXCERPT_CONTEXT_LINES, row.name) ??
          []
        );
      });
      const rows = results.slice(0, MAX_ROWS).map(({ name, kind, file, line, at, resolution, why = [] }) => {
        const sure = resolution === undefined ? "" : ` (${resolution})`;
        return `${kind} ${name} ${file}:${line}${at === undefined ? "" : `, named on line ${at}`}${sure}${why.length > 0 ? `: ${why.join("; ")}` : ""}`;
      });
      const more = total - rows.length;
      const text = [
        ...rows,
        ...(more > 0 ? [`and ${more} more`] : []),
        ...(external.length > 0 ? [`External packages: ${external.join(", ")}`] : []),
        ...(missing.length > 0 ? [`Not found: ${missing.join(", ")}`] : []),
      ].join("\n");
      return { passages: [...defined, ...places], text: redactText(text).text };
    },
    { without: ["project"] },
  );
}

const linesInput = z.strictObject({
  file: z.string().min(1).max(1000).describe("A file of the project, as the other tools name it"),
  from: z.int().min(1).default(1).describe("First line"),
  to: z.int().min(1).optional().describe("Last line"),
});

/** Reads lines by number, only from files in the code index, so that no other file can be read. */
function codeLines(dex: Dex, project: CodeProject): AskTool {
  const name = "dex_code_lines";
  const { properties = {}, required = [] } = z.toJSONSchema(linesInput, { io: "input" });
  return {
    name,
    description: "Read lines of one of this project's code files",
    parameters: asObject({ type: "object", properties, required }),
    run: async (given, signal) => {
      signal.throwIfAborted();
      const known = Object.keys(properties);
      const foreign = Object.keys(given).find((each) => !known.includes(each));
      if (foreign !== undefined) throw unknownParameter(name, foreign, known);
      const parsed = linesInput.safeParse(given);
      if (!parsed.success) throw parameterError(parsed.error);
      const { file, from, to = Number.MAX_SAFE_INTEGER } = parsed.data;
      const store = await storeOf(dex, project);
      const inside = pathInProject(project, project.root, file);
      const row = inside === undefined ? undefined : store.file(inside);
      const lines = row && new SourceLines(project).of(row.path);
      if (!row || !lines) throw noFile(file);
      if (from > lines.length) {
        throw new DexError(
          "no_line",
          `${row.path} has ${plural(lines.length, "line")}, so line ${from} does not exist.`,
        );
      }
      const last = lastWithin(lines, from, to);
      const passage = new SourceFiles(project).excerpt(row.path, from, last);
      const continuation =
        last < Math.min(to, lines.length) ? `It continues at line ${last + 1} of ${lines.length}.` : "";
      return { passages: passage ? [passage] : [], text: continuation };
    },
  };
}

function noFile(file: string): DexError {
  return new DexError("no_file", `This project's code has no file "${file.slice(0, 200)}".`);
}

function lastWithin(lines: readonly string[], from: number, to: number): number {
  let left = MAX_RESULT_TOKENS / BUDGET_MARGIN;
  let last = from;
  for (let at = from; at <= Math.min(to, lines.length); at += 1) {
    left -= estimateTokens(lines[at - 1] ?? "") + 1;
    if (left < 0) break;
    last = at;
  }
  return last;
}

function codeHistory(dex: Dex, withConversations: boolean): AskTool {
  return tool(
    dex,
    history,
    ({ target, events, partners }) => ({
      passages: events
        .filter(({ kind }) => withConversations || kind !== "conversation")
        .map(({ kind, time, ref, text, author, symbols = [], because, status }) => ({
          collection: kind === "conversation" ? "conversations" : kind === "commit" ? "commits" : "decisions",
          document: kind === "commit" ? ref.slice(0, 12) : ref,
          title: target,
          text: redactText(
            [
              `${time.slice(0, 10)}${author === undefined ? "" : `, ${author}`}${status === undefined ? "" : `, ${status}`}: ${text}`,
              ...(because === undefined ? [] : [`Because ${because}`]),
              ...(symbols.length > 0 ? [`It changed ${symbols.join(", ")} in ${target}.`] : []),
            ].join("\n"),
          ).text,
        })),
      text: partners.length > 0 ? `Usually changes with: ${partners.map(({ path }) => path).join(", ")}` : "",
    }),
    { without: ["project"] },
  );
}

async function storeOf(dex: Dex, project: CodeProject): Promise<CodeReader> {
  return (await openFresh(dex.caches, project, { now: dex.now })).store;
}

function entityAt(store: CodeReader, path: string, line: number, name: string) {
  const file = store.file(path);
  const own = file ? store.entities(file.no) : [];
  return (
    own.find((each) => each.first_line === line && each.qualified === name) ??
    own.find(({ first_line }) => first_line === line)
  );
}
