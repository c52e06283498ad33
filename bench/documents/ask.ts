/**
 * Measures the tokens that stay in the caller's context when a question is answered by the raw tools, and by
 * `ask_documents`.
 *
 *   npm run bench:ask -- [--write]
 *
 * The corpus is dex's own documentation. The raw tools are called by a script that knows only when to stop: it
 * searches; then, best result first, it reads the section, until it has read the section with the answer, or three
 * sections. `ask_documents` is one call, without a model. A real tokenizer (o200k) counts each call and its result, as
 * an agent sees them. The definitions of the tools, which every session pays for, are listed separately. --write
 * updates the table in docs/internals/performance/documents.md.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { readSuite } from "../../src/ask/checking/suite.ts";
import { Dex } from "../../src/dex.ts";
import { definitionOf } from "../../src/mcp/tools/schemas.ts";
import { ask } from "../../src/operations/ask/ask.ts";
import { docsAdd } from "../../src/operations/docs/collections/add.ts";
import { docsSearch } from "../../src/operations/docs/search.ts";
import { docsSection } from "../../src/operations/docs/section.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { runOperation } from "../../src/operations/run.ts";
import { toolOperations } from "../../src/operations/toolsets.ts";
import { renderOutput } from "../../src/rendering/registry.ts";
import { median } from "../lib/measure.ts";
import { markdownTable, type Row, writeBetweenMarkers } from "../lib/table.ts";

const AIM = 5;
/** Sections that the script reads before it gives up. */
const TRIES = 3;
/** As an agent gets it: no colours, no columns. */
const PAGE = { width: 1000, color: false, now: Date.now(), compact: true };

interface Question {
  query: string;
  useCase: string;
  /** Sections with the answer: `document#heading`. */
  gold: readonly string[];
}

interface Cost {
  raw: number;
  ask: number;
  rawFound: boolean;
  askFound: boolean;
}

const root = join(import.meta.dirname, "../..");
const { values } = parseArgs({ options: { write: { type: "boolean" } } });
const temp = mkdtempSync(join(tmpdir(), "dex-ask-"));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));

const vars = { HOME: temp, DEX_HOME: join(temp, ".dex"), TZ: "UTC" };
const adding = await Dex.open({ vars, cwd: temp });
await runOperation(adding, docsAdd, docsAdd.input.parse({ name: "dex", source: [join(root, "docs")] }), {});
adding.close();
const dex = await Dex.open({ vars, cwd: temp });
try {
  const rows = [
    row("the questions of the suite", await measure(await suiteQuestions())),
    row("a question for each section, made of its headings", await measure(await headingQuestions())),
    await definitionsRow(),
  ];
  const table = markdownTable(rows);
  process.stdout.write(`${table}\n`);
  if (values.write) writeBetweenMarkers(join(root, "docs/internals/performance/documents.md"), table, "ask");
} finally {
  dex.close();
}

async function suiteQuestions(): Promise<Question[]> {
  const path = join(root, "test/suites/dex-docs.yaml");
  const { tests } = await readSuite(readFileSync(path, "utf8"), path);
  return tests
    .filter(({ sources }) => sources.length > 0)
    .map(({ query, use_case, sources }) => ({ query, useCase: use_case, gold: sources }));
}

/** Of every section, short or long; they name it, which makes it easy to find. */
async function headingQuestions(): Promise<Question[]> {
  const { reader } = await dex.library();
  return reader.documents({}, 1000, 0).flatMap(({ no, path, title }) =>
    reader
      .sections(no)
      .filter(({ heading, level, tokens }) => heading !== "" && level > 1 && tokens >= 30)
      .map(({ heading }) => ({ query: `${title}: ${heading}?`, useCase: "", gold: [`${path}#${heading}`] })),
  );
}

async function measure(questions: readonly Question[]): Promise<Cost[]> {
  const costs: Cost[] = [];
  for (const question of questions) {
    const raw = await byTools(question);
    const asked = await byAsking(question);
    costs.push({ raw: raw.tokens, ask: asked.tokens, rawFound: raw.found, askFound: asked.found });
  }
  return costs;
}

async function byTools({ query, gold }: Question): Promise<{ tokens: number; found: boolean }> {
  let tokens = 0;
  const call = async <T extends Operation>(operation: T, given: object) => {
    const { output, text } = await told(operation, given);
    tokens += text;
    return operation.output.parse(output);
  };
  const { results } = docsSearch.output.parse(await call(docsSearch, { query }));
  for (const { id, document, headings } of results.slice(0, TRIES)) {
    await call(docsSection, { document: id });
    if (isGold(gold, document, headings.at(-1) ?? "")) return { tokens, found: true };
  }
  return { tokens, found: false };
}

async function byAsking({ query, useCase, gold }: Question): Promise<{ tokens: number; found: boolean }> {
  const { output, text } = await told(ask, { query, use_case: useCase });
  const { sources } = ask.output.parse(output);
  const found = sources.some(({ document, section = "" }) => isGold(gold, document, section.split(" > ").at(-1) ?? ""));
  return { tokens: text, found };
}

/** The calls and their results. */
async function told(operation: Operation, given: object): Promise<{ output: unknown; text: number }> {
  const { output } = await runOperation(dex, operation, operation.input.parse(given), { sync: false });
  const call = countTokens(JSON.stringify({ name: operation.name, arguments: given }));
  return { output, text: call + countTokens(await renderOutput(operation.verb, output, PAGE)) };
}

function isGold(gold: readonly string[], document: string, heading: string): boolean {
  return gold.some((place) => {
    const [path = "", section] = place.split("#");
    return path === document && (section === undefined || section.toLowerCase() === heading.toLowerCase());
  });
}

function row(name: string, costs: readonly Cost[]): Row {
  const sum = (side: "raw" | "ask"): number => costs.reduce((total, cost) => total + cost[side], 0);
  const times = sum("raw") / sum("ask");
  const each = (side: "raw" | "ask"): string => Math.round(sum(side) / costs.length).toLocaleString("en-US");
  const single = median(costs.map(({ raw, ask }) => raw / ask)).toFixed(1);
  const found = (side: "rawFound" | "askFound"): number => costs.filter((cost) => cost[side]).length;
  return {
    what: `tokens left in the caller's context, raw tools over \`ask_documents\`, ${name}`,
    measured: `${times.toFixed(1)} times (median ${single}): ${each("raw")} over ${each("ask")}; the right section read ${found("rawFound")} and cited ${found("askFound")} of ${costs.length} times`,
    aim: `≥ ${AIM}`,
    met: times >= AIM,
  };
}

async function definitionsRow(): Promise<Row> {
  const size = (operation: Operation): number => {
    const { annotations: _, ...definition } = definitionOf(operation, "full");
    return countTokens(JSON.stringify(definition));
  };
  const raw = (await toolOperations(new Set(["documents"]))).reduce((sum, operation) => sum + size(operation), 0);
  const own = size({
    ...ask,
    unlisted: ["no_global", "in", "model", "temperature", "no_model", "max_tokens"],
  } as Operation);
  return {
    what: "definitions of the tools, raw tools over `ask_documents`",
    measured: `${(raw / own).toFixed(1)} times: ${raw.toLocaleString("en-US")} over ${own} tokens`,
    aim: `≥ ${AIM}`,
    met: raw / own >= AIM,
  };
}
