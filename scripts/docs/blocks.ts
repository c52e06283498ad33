/** Checks the code in a page: commands of dex and their flags exist, and JSON and YAML can be parsed. */
import { parse } from "yaml";
import { callsIn, commandProblem, type Verbs } from "./commands.ts";
import { type CodeBlock, type Page, type Problem, splitPage } from "./markdown.ts";

const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "console"]);

export function invalidCode(page: Page, verbs: Verbs): Problem[] {
  const { blocks, prose } = splitPage(page.text);
  const problems = [
    ...blocks.flatMap((block) => blockProblems(block, verbs)),
    ...spansOf(prose).flatMap(({ text, line }) => callsIn(text).flatMap((command) => problemOf(command, line, verbs))),
  ];
  return problems.map((problem) => ({ path: page.path, ...problem }));
}

type Found = Omit<Problem, "path">;

function blockProblems({ language, text, line }: CodeBlock, verbs: Verbs): Found[] {
  if (SHELLS.has(language)) {
    return text
      .split("\n")
      .flatMap((each, i) => callsIn(each).flatMap((command) => problemOf(command, line + i, verbs)));
  }
  if (language === "json" && !isJson(text)) return [{ line, text: "this JSON cannot be parsed" }];
  if (language === "yaml" && !isYaml(text)) return [{ line, text: "this YAML cannot be parsed" }];
  return [];
}

function problemOf(command: string, line: number, verbs: Verbs): Found[] {
  const problem = commandProblem(command, verbs);
  return problem === undefined ? [] : [{ line, text: `\`${command}\` ${problem}` }];
}

/** Whether the text is one JSON value, or one per line. */
function isJson(text: string): boolean {
  const parses = (each: string): boolean => {
    try {
      JSON.parse(each);
      return true;
    } catch {
      return false;
    }
  };
  return parses(text) || text.trim().split("\n").every(parses);
}

function isYaml(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Code marks in the prose; one may continue on the next line. */
function spansOf(prose: readonly string[]): { text: string; line: number }[] {
  const text = prose.join("\n");
  return [...text.matchAll(/(?<!`)`([^`]+)`(?!`)/g)].map((match) => ({
    text: (match[1] ?? "").replace(/\s+/g, " ").trim(),
    line: text.slice(0, match.index).split("\n").length,
  }));
}
