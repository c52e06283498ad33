/**
 * Measures the tokens that "what did I do on X?" costs: through dex, and by reading the raw transcript with the answer.
 *
 *   npm run bench:tokens -- [--questions N] [--write]
 *
 * dex is called by a script that knows only when to stop: it searches; then, best result first, it reads the timeline
 * around the found message and its neighbourhood, until it has read the conversation with the answer, or three
 * conversations. Wrong turns count. The other side knows the file and reads it once. Tokens are those of a real
 * tokenizer (o200k), of the text that an agent sees. --write updates the table in docs/internals/performance/serving.md.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { Dex } from "../../src/dex.ts";
import { search } from "../../src/operations/conversations/search.ts";
import { show } from "../../src/operations/conversations/show.ts";
import { timeline } from "../../src/operations/conversations/timeline.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { runOperation } from "../../src/operations/run.ts";
import { renderOutput } from "../../src/rendering/registry.ts";
import { resolveConversation } from "../../src/search/filters/resolve.ts";
import { sampleHome } from "../../test/support/program/dex.ts";
import { type Corpus, openCorpus } from "../lib/corpus.ts";
import { median } from "../lib/measure.ts";
import { markdownTable, type Row, writeBetweenMarkers } from "../lib/table.ts";
import { readSessions } from "../quality/data.ts";

const AIM = 40;
/** Conversations that the script reads before it gives up. */
const TRIES = 3;
const MAX_TOKENS = 2000;
/** As an agent gets it: no colours, no columns. */
const PAGE = { width: 1000, color: false, now: Date.now(), compact: true };

interface Question {
  about: string;
  /** Conversations with the answer. */
  gold: readonly string[];
}

interface Cost {
  dex: number;
  /** The transcript as stored on disk. */
  raw: number;
  /** Only its text and tool calls: the same conversation as dex would show it in full. */
  text: number;
  found: boolean;
}

const { values } = parseArgs({ options: { questions: { type: "string" }, write: { type: "boolean" } } });
const most = Math.max(1, Math.min(400, Number(values.questions ?? 60) || 60));
const temp = mkdtempSync(join(tmpdir(), "dex-tokens-"));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));

const rows: Row[] = [];
const sessions = readSessions();
if (sessions) {
  const commits = sessions.queries.filter(({ group }) => group === "commit");
  const questions = commits.map(({ query, gold }) => ({ about: query, gold }));
  rows.push(await measure("commits of the real histories", await openCorpus(undefined, temp, true), spread(questions)));
} else {
  process.stderr.write("the real histories are not next to this checkout: only the samples are measured\n");
}
rows.push(await measure("titles of the bundled samples", await openCorpus(sampleHome, temp, true), undefined));
const table = markdownTable(rows);
process.stdout.write(`${table}\n`);
if (values.write)
  writeBetweenMarkers(join(import.meta.dirname, "../../docs/internals/performance/serving.md"), table, "tokens");

async function measure(name: string, corpus: Corpus, asked: readonly Question[] | undefined): Promise<Row> {
  const vars = { HOME: corpus.home, DEX_HOME: mkdtempSync(join(temp, "home-")), DEX_SYNC_THREADS: "0", TZ: "UTC" };
  const dex = await Dex.open({ vars, cwd: temp });
  try {
    await dex.sync();
    const costs: Cost[] = [];
    for (const question of asked ?? titles(dex)) {
      const raw = rawTranscript(corpus, question.gold);
      if (!raw) continue;
      const text = resolveConversation(dex, raw.id).tokens;
      costs.push({ raw: raw.tokens, text, ...(await ask(dex, question)) });
    }
    return rowOf(name, costs);
  } finally {
    dex.close();
  }
}

async function ask(dex: Dex, { about, gold }: Question): Promise<{ dex: number; found: boolean }> {
  let tokens = 0;
  const call = async <T extends Operation>(operation: T, given: object) => {
    const { output } = await runOperation(dex, operation, operation.input.parse(given), { sync: false });
    tokens += countTokens(await renderOutput(operation.verb, output, PAGE));
    return operation.output.parse(output);
  };
  const { results } = search.output.parse(await call(search, { query: `What did I do on ${about}?` }));
  for (const { id, source, message_index } of results.slice(0, TRIES)) {
    const address = `${source}:${id}`;
    await call(timeline, { anchor: `${address}#${message_index}` });
    await call(show, { ids: [address], expand: { message_index }, max_tokens: MAX_TOKENS });
    if (gold.includes(id)) return { dex: tokens, found: true };
  }
  return { dex: tokens, found: false };
}

/** The smallest transcript with the answer; undefined if none of them is a single file. */
function rawTranscript(corpus: Corpus, gold: readonly string[]): { id: string; tokens: number } | undefined {
  const files = gold.flatMap((id) => {
    const path = corpus.files.find((file) => file.endsWith(`${id}.jsonl`));
    return path === undefined ? [] : [{ id, tokens: countTokens(readFileSync(path, "utf8")) }];
  });
  return files.toSorted((a, b) => a.tokens - b.tokens)[0];
}

function titles(dex: Dex): Question[] {
  return dex.store.list({}, 1000, 0).map(({ title, id }) => ({ about: title, gold: [id] }));
}

/** The same ones each time, spread over the list. */
function spread(questions: readonly Question[]): Question[] {
  const step = Math.max(1, questions.length / most);
  const count = Math.min(most, questions.length);
  return Array.from({ length: count }, (_, at) => questions[Math.floor(at * step)]).filter(
    (each) => each !== undefined,
  );
}

function rowOf(name: string, costs: readonly Cost[]): Row {
  const sum = (side: "dex" | "raw" | "text"): number => costs.reduce((total, cost) => total + cost[side], 0);
  const times = sum("raw") / sum("dex");
  const each = (side: "dex" | "raw"): string => Math.round(sum(side) / costs.length).toLocaleString("en-US");
  const single = median(costs.map((cost) => cost.raw / cost.dex)).toFixed(1);
  const found = costs.filter((cost) => cost.found).length;
  return {
    what: `raw transcript over dex, ${costs.length} questions from ${name}`,
    measured: `${times.toFixed(1)} times (median ${single}): ${each("raw")} over ${each("dex")} tokens; ${(sum("text") / sum("dex")).toFixed(1)} times over its bare text; ${found} of ${costs.length} found`,
    aim: `≥ ${AIM}`,
    met: times >= AIM,
  };
}
