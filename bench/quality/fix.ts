/**
 * Measures `dex fix` on the errors in a DEX_HOME: is an error found again when it is pasted in part or from another
 * machine, and does dex say that it knows nothing like an error of software that was never used there?
 *
 *   node bench/quality/fix.ts --home <HOME> --dex-home <DEX_HOME> [--half tune|held] [--known N] [--seed N] [--misses]
 *
 * Each error is a line of a failed tool result, drawn at random. The first result is right if its conversation has the
 * line, apart from numbers and folders. Nothing is written except the trace-free answers on standard output.
 */
import { parseArgs } from "node:util";
import { Dex } from "../../src/dex.ts";
import { fix } from "../../src/operations/conversations/fix.ts";
import { resolveAddress } from "../../src/search/filters/resolve.ts";
import { streamMessages } from "../../src/search/messages.ts";
import { pick, type Random, seeded } from "../../test/support/random.ts";
import { FOREIGN_ERRORS } from "./foreign_errors.ts";

const { values } = parseArgs({
  options: {
    home: { type: "string" },
    "dex-home": { type: "string" },
    half: { type: "string" },
    known: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    misses: { type: "boolean" },
  },
});

const MIN_CHARS = 25;
const MAX_CHARS = 220;
const MIN_WORDS = 4;
const MAX_LINES_OF_ONE_RESULT = 3;
const SAYS_ERROR =
  /\b(?:error|exception|cannot|can't|could not|failed|fatal|not found|no such|undefined|denied|refused|invalid|unexpected|missing|unknown|unable)\b|\w(?:Error|Exception)\b/i;
const PREFIX =
  /^(?:\S+:\d+(?::\d+)?:?\s+|npm (?:ERR!|error)\s+|\[?(?:error|fatal|warn(?:ing)?|panic)\]?(?:\[\w+\]| TS\d+)?:?\s+|\w*(?:Error|Exception)(?: \[\w+\])?:\s+|(?:ba|z)?sh: (?:line \d+: )?)+/i;

type Change = "verbatim" | "without prefix" | "shortened" | "elsewhere" | "without prefix, elsewhere";
const CHANGES: readonly Change[] = [
  "verbatim",
  "without prefix",
  "shortened",
  "without prefix",
  "elsewhere",
  "without prefix, elsewhere",
];

interface KnownError {
  line: string;
  pasted: string;
  change: Change;
}

const home = values.home ?? process.env.HOME ?? "";
const dexHome = values["dex-home"] ?? process.env.DEX_HOME ?? "";
const dex = await Dex.open({ vars: { HOME: home, DEX_HOME: dexHome, TZ: "UTC" }, cwd: home });
const random = seeded(Number(values.seed));
const texts = new Map<number, string>();
const known = halfOf(drawErrors(random, Number(values.known)), CHANGES.length);
const foreign = halfOf(FOREIGN_ERRORS, 2);

const counts = new Map<string, { all: number; right: number; similar: number }>();
for (const { line, pasted, change } of known) {
  const { results } = await fix.run(dex, fix.input.parse({ error: pasted }), {});
  const [first] = results;
  const isRight = first !== undefined && bare(textOf(first)).includes(bare(line));
  const count = counts.get(change) ?? { all: 0, right: 0, similar: 0 };
  count.all += 1;
  if (isRight && first?.match === "same") count.right += 1;
  else if (isRight) count.similar += 1;
  if (values.misses && !(isRight && first?.match === "same"))
    print(`  ${change}: ${pasted}\n    ${first ? `${first.match}: ${first.error}` : "nothing"}`);
  counts.set(change, count);
}
let silent = 0;
for (const error of foreign) {
  const { results } = await fix.run(dex, fix.input.parse({ error }), {});
  if (results.length === 0) silent += 1;
  else if (values.misses) print(`  foreign: ${error}\n    ${results[0]?.match}: ${results[0]?.error}`);
}
for (const [change, { all, right, similar }] of counts)
  print(`${change}: ${right} of ${all} first and the same, ${similar} first but only similar`);
const sum = (of: "all" | "right" | "similar"): number =>
  [...counts.values()].reduce((total, each) => total + each[of], 0);
print(`known errors: ${sum("right")} of ${sum("all")} first and the same, ${sum("similar")} first but only similar`);
print(`foreign errors: ${silent} of ${foreign.length} without a result`);
dex.close();

/** Runs of `together` items go to one half, so that both halves have every kind. */
function halfOf<T>(items: readonly T[], together: number): readonly T[] {
  if (values.half === undefined) return items;
  return items.filter((_, i) => (Math.floor(i / together) % 2 === 0) === (values.half === "tune"));
}

function drawErrors(from: Random, wanted: number): KnownError[] {
  const lines = new Set<string>();
  for (const row of dex.store.list({}, 100_000, 0)) {
    for (const { message } of streamMessages(dex, row)) {
      for (const part of message.parts) {
        if (part.type !== "tool_result" || !(part.is_error || (part.exit_code ?? 0) !== 0)) continue;
        const found = part.output.split("\n", 500).map((line) => line.trim());
        for (const line of found.filter(isErrorLine).slice(0, MAX_LINES_OF_ONE_RESULT)) lines.add(line);
      }
    }
  }
  const all = [...lines];
  const drawn = new Map<string, KnownError>();
  for (let tries = 0; drawn.size < wanted && tries < wanted * 100; tries += 1) {
    const line = pick(from, all);
    const change = CHANGES[drawn.size % CHANGES.length] ?? "verbatim";
    const pasted = changed(line, change);
    if (pasted === undefined || drawn.has(bare(line))) continue;
    drawn.set(bare(line), { line, pasted, change });
  }
  return [...drawn.values()];
}

function isErrorLine(line: string): boolean {
  return (
    line.length >= MIN_CHARS &&
    line.length <= MAX_CHARS &&
    SAYS_ERROR.test(line) &&
    line.split(/\s+/).length >= MIN_WORDS
  );
}

/** Undefined if the line cannot be changed so, or too little would be left. */
function changed(line: string, change: Change): string | undefined {
  const without = line.replace(PREFIX, "");
  const other = (text: string): string =>
    text.replace(/(?:\/[\w.@+-]+)+\/(?=[\w.@+-])/g, "/srv/build/other/").replace(/\d+/g, (n) => String(Number(n) + 7));
  const pasted =
    change === "verbatim"
      ? line
      : change === "shortened"
        ? line
            .slice(0, Math.ceil(line.length * 0.65))
            .replace(/\S*$/, "")
            .trim()
        : change === "elsewhere"
          ? other(line)
          : change === "without prefix"
            ? without
            : other(without);
  const isChanged = change === "verbatim" || pasted !== line;
  return isChanged && pasted.length >= 20 && pasted.split(/\s+/).length >= 3 ? pasted : undefined;
}

/** Without numbers, folders, colours and spaces, as the same error has them in another run. */
function bare(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences begin with the escape character.
      .replace(/\u001b\[[0-9;]*m/g, "")
      .replace(/(?:\/[\w.@+-]+)+\//g, "/")
      .replace(/\d+/g, "0")
      .replace(/\s+/g, " ")
  );
}

function textOf({ source, id }: { source: string; id: string }): string {
  const { row } = resolveAddress(dex, `${source}:${id}`);
  const cached = texts.get(row.no);
  if (cached !== undefined) return cached;
  const parts = [...streamMessages(dex, row)].flatMap(({ message }) => message.parts);
  const text = parts
    .map((part) =>
      part.type === "tool_result" ? part.output : part.type === "tool_call" ? JSON.stringify(part.input) : part.text,
    )
    .join("\n");
  texts.set(row.no, text);
  return text;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
