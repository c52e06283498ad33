/**
 * Measures how well dex finds an exact thing: names, paths, flags, error codes, hashes and phrases, picked at random from
 * raw transcripts by a script of its own (`raw_texts.ts`). A file contains a thing if one of its texts has it with no
 * letter, digit or underscore directly before or after, and with its case; words in lower case may have any case in the
 * text. A file in which only repeated records of other files, or texts that a program wrote in the user's name, have
 * it may be found or not: dex stores such a record once, and such a text not always.
 *
 *   node bench/quality/exact.ts [--home DIR] [--dex DIR] [--seed N] [--each N] [--half a|b] [--list]
 *
 * hit@5: typed without quotes, one of the first five results contains it.
 * whole first: as many of the first five contain it as can.
 * count: typed in quotes, dex finds exactly the files that contain it, and `total` is their number.
 *
 * Each conversation belongs to one half, by a hash of its file's name, and so do the probes that were picked from it. Half
 * a is for tuning, half b for reporting. Left out are things that dex must not find: text of which dex stored
 * nothing, because it is a secret or written by a program. Such a thing is in the raw files and nowhere in the archive.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { renderMessage } from "../../src/conversations/render.ts";
import { Dex } from "../../src/dex.ts";
import { search } from "../../src/operations/conversations/search.ts";
import { sync } from "../../src/operations/upkeep/sync.ts";
import { loadMessages } from "../../src/search/messages.ts";
import { between, pick, type Random, seeded } from "../../test/support/random.ts";
import { openCorpus } from "../lib/corpus.ts";
import { type RawText, rawTexts } from "./raw_texts.ts";

const CUT = 5;
const MAX_TRIES = 4000;

const { values } = parseArgs({
  options: {
    home: { type: "string" },
    dex: { type: "string" },
    seed: { type: "string", default: "1" },
    each: { type: "string", default: "60" },
    half: { type: "string" },
    list: { type: "boolean" },
  },
});

/** Whole names: nothing of a name is directly before or after. */
const KINDS: Readonly<Record<string, RegExp>> = {
  camelCase: /(?<![\w.$/-])[a-z]{2,}(?:[A-Z][a-z0-9]*)+(?![\w.$/-])/g,
  snake_case: /(?<![\w.$/-])[a-z]+(?:_[a-z0-9]+)+(?![\w.$/-])/g,
  dotted: /(?<![\w.$/-])[a-z]\w+(?:\.[a-zA-Z]\w+){1,3}(?![\w.$/-])/g,
  path: /(?<![\w.$/-])(?:[\w@-][\w.@-]*\/){1,8}[\w-][\w.-]*\.[a-z]{1,4}(?![\w.$/-])/g,
  flag: /(?<![\w.$/-])--[a-z][a-z0-9]+(?:-[a-z0-9]+)*(?![\w$/-])/g,
  "error code": /(?<![\w.$/-])(?:E[A-Z]{4,12}|ERR_[A-Z_]{3,40}|[A-Z]{1,4}\d{3,5}|[A-Z]+(?:_[A-Z]+){1,4})(?![\w.$/-])/g,
  hash: /(?<![\w.$/-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?![\w.$/-])/g,
  id: /(?<![\w.$/-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\w.$/-])/g,
  PascalCase: /(?<![\w.$/-])[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+(?![\w.$/-])/g,
  "kebab-case": /(?<![\w.$/-])[a-z][a-z0-9]+(?:-[a-z0-9]+)+(?![\w.$/-])/g,
  version: /(?<![\w.$/-])v?\d+\.\d+\.\d+(?:-[a-z0-9.]+)?(?![\w.$/-])/g,
  URL: /https?:\/\/[\w.-]+(?:\/[\w.~%#?=&/-]*[\w/])?(?![\w$/-])/g,
  place: /(?<![\w.$/-])[\w./-]*\w\.[a-z]{1,4}:\d+(?![\w.$/:-])/g,
  number: /(?<![\w.$/#-])#?\d{4,9}(?![\w.$/-])/g,
  call: /(?<![\w.$/-])[A-Za-z_]\w+(?:\.\w+)*\([\w, .']{0,30}\)/g,
  word: /(?<![\w.$/-])[a-z]{5,14}(?![\w.$/-])/g,
  command:
    /(?<![\w.$/-])(?:git|npm|npx|bun|pnpm|go|cargo|docker|gh|node|python3?|make|curl|grep|find|ls|cat|sed|rm)(?: [\w./:=@-]+){1,6}/g,
  phrase: /[A-Za-z]{2,15}(?: [A-Za-z]{2,15}){2,5}/g,
  text: /[^\s"\\]{1,30}(?: [^\s"\\]{1,30}){3,7}/g,
};
const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
/** Of these, a part is taken, from one space to another. */
const RUNS = ["phrase", "text"];

interface Probe {
  kind: string;
  text: string;
  half: "a" | "b";
}

interface Measured extends Probe {
  /** The files that contain it, and those that may be found as well. */
  files: Set<string>;
  maybe: Set<string>;
  hit: boolean;
  whole: boolean;
  counted: boolean;
  total: number;
  missing: string[];
  wrong: string[];
}

const temp = mkdtempSync(join(tmpdir(), "dex-exact-"));
process.once("exit", () => rmSync(temp, { recursive: true, force: true }));
const corpus = await openCorpus(values.home, temp, false);
const folder = resolve(values.dex ?? join(temp, "dex"));
const isNew = !existsSync(folder);
const dex = await Dex.open({ vars: { HOME: temp, DEX_HOME: folder, TZ: "UTC" }, cwd: temp });
if (isNew) await sync.run(dex, sync.input.parse({ home: corpus.home }), {});

const fileOf = new Map<string, string>();
for (const { source, id, origin } of dex.store.archivedConversations()) fileOf.set(`${source}:${id}`, origin ?? "");
const read = new Set(fileOf.values());
const texts = new Map(corpus.files.filter((path) => read.has(path)).map((path) => [path, rawTexts(path)]));
const recordFiles = new Map<string, Set<string>>();
for (const [path, list] of texts) {
  for (const { record } of list) recordFiles.set(record, (recordFiles.get(record) ?? new Set()).add(path));
}
const sure = joinTexts(({ record, byProgram }) => !byProgram && recordFiles.get(record)?.size === 1);
const all = joinTexts(() => true);

function joinTexts(isWanted: (text: RawText) => boolean): { exact: Map<string, string>; lower: Map<string, string> } {
  const exact = new Map(
    [...texts].map(([path, list]) => [
      path,
      list
        .filter(isWanted)
        .map(({ text }) => text)
        .join("\n"),
    ]),
  );
  return { exact, lower: new Map([...exact].map(([path, text]) => [path, text.toLowerCase()])) };
}

const random = seeded(Number(values.seed));
const probes = Object.keys(KINDS).flatMap((kind) => probesOf(kind, Number(values.each), random));
const measured: Measured[] = [];
const absent: Measured[] = [];
for (const probe of probes) {
  if (values.half !== undefined && probe.half !== values.half) continue;
  const result = await measure(probe);
  if (result.total === 0 && !isArchived(result)) absent.push(result);
  else measured.push(result);
}
print();
dex.close();

function probesOf(kind: string, count: number, next: Random): Probe[] {
  const pattern = KINDS[kind] as RegExp;
  const files = [...texts.keys()];
  const found = new Map<string, Probe>();
  for (let tries = 0; tries < MAX_TRIES && found.size < count; tries += 1) {
    const path = pick(next, files);
    const list = texts.get(path) ?? [];
    if (list.length === 0) continue;
    const { text: from, byProgram } = pick(next, list);
    if (byProgram) continue;
    const matches = [...from.slice(0, 20_000).matchAll(pattern)].map(([match]) => match);
    if (matches.length === 0) continue;
    const text = RUNS.includes(kind) ? phraseIn(pick(next, matches), next) : pick(next, matches);
    if (text.length < 5 || text.length > 120 || found.has(text) || !/[A-Za-z0-9]{2}/.test(text)) continue;
    found.set(text, { kind, text, half: halfOf(path) });
  }
  return [...found.values()];
}

/** Subagents are in the half of the conversation that started them: its id is the name of their folder. */
function halfOf(path: string): "a" | "b" {
  const [id = basename(path)] = path.match(ID) ?? [];
  return (createHash("sha256").update(id).digest()[0] ?? 0) % 2 === 0 ? "a" : "b";
}

function phraseIn(text: string, next: Random): string {
  const words = text.split(" ");
  const length = Math.min(words.length, between(next, 3, 6));
  const from = between(next, 0, words.length - length);
  return words.slice(from, from + length).join(" ");
}

function filesWith({ exact, lower }: typeof all, text: string): Set<string> {
  const anyCase = /^[a-z]+$|\s/.test(text) && text === text.toLowerCase();
  const found = [...(anyCase ? lower : exact)].filter(([, content]) => containsWhole(content, text));
  return new Set(found.map(([path]) => path));
}

function containsWhole(content: string, text: string): boolean {
  for (let at = content.indexOf(text); at >= 0; at = content.indexOf(text, at + 1)) {
    const before = /^\w/.test(text) ? (content[at - 1] ?? "") : "";
    const after = /\w$/.test(text) ? (content[at + text.length] ?? "") : "";
    if (!/[\p{L}\p{N}_]/u.test(before + after)) return true;
  }
  return false;
}

async function measure(probe: Probe): Promise<Measured> {
  const right = { files: filesWith(sure, probe.text), maybe: filesWith(all, probe.text) };
  const plain = await search.run(dex, search.input.parse({ query: probe.text, limit: CUT }), {});
  const first = filesOf(plain.results);
  const most = Math.min(CUT, right.files.size, first.length);
  const hits = first.filter((path) => right.maybe.has(path)).length;
  const quoted = await search.run(dex, search.input.parse({ query: `"${probe.text}"`, limit: 1000 }), {});
  const files = new Set(quoted.note === undefined ? filesOf(quoted.results) : []);
  const missing = [...right.files].filter((path) => !files.has(path));
  const wrong = [...files].filter((path) => !right.maybe.has(path));
  const isCounted = quoted.note !== undefined || quoted.total === quoted.results.length;
  return {
    ...probe,
    ...right,
    hit: hits > 0,
    whole: hits >= most,
    counted: isCounted && missing.length === 0 && wrong.length === 0,
    total: quoted.note === undefined ? quoted.total : 0,
    missing,
    wrong,
  };
}

function filesOf(results: readonly { source: string; id: string }[]): string[] {
  return results.map(({ source, id }) => fileOf.get(`${source}:${id}`) ?? "");
}

/** Whether any archived message of its files has it: if not, dex removed it on purpose. */
function isArchived({ text, maybe }: Measured): boolean {
  return dex.store.list({}, 100_000, 0).some((row) => {
    if (!maybe.has(fileOf.get(`${row.source}:${row.id}`) ?? "")) return false;
    return loadMessages(dex, row).some(({ message }) => (renderMessage(message, "full") ?? "").includes(text));
  });
}

function print(): void {
  const share = (list: readonly Measured[], name: "hit" | "whole" | "counted"): string =>
    list.length === 0 ? "" : `${((100 * list.filter((each) => each[name]).length) / list.length).toFixed(1)}`;
  const line = (kind: string, list: readonly Measured[]): string =>
    `| ${kind} | ${list.length} | ${share(list, "hit")} | ${share(list, "whole")} | ${share(list, "counted")} |`;
  const rows = Object.keys(KINDS).map((kind) =>
    line(
      kind,
      measured.filter((each) => each.kind === kind),
    ),
  );
  process.stdout.write(
    `| kind | probes | hit@5 | whole first | count |\n|---|---|---|---|---|\n${rows.join("\n")}\n${line("all", measured)}\n\n`,
  );
  process.stdout.write(
    `Seed ${values.seed}, half ${values.half ?? "a and b"}; ${absent.length} left out, not stored.\n`,
  );
  if (!values.list) return;
  for (const each of absent) process.stdout.write(`not stored: ${each.kind} ${each.text}\n`);
  for (const each of measured) {
    if (each.hit && each.whole && each.counted) continue;
    const miss = [each.hit ? "" : "no hit", each.whole ? "" : "pieces first", each.counted ? "" : "count"].filter(
      Boolean,
    );
    process.stdout.write(
      `${miss.join(", ")}: ${each.kind} ${each.text} — ${each.total} found, ${each.files.size} right; missing ${each.missing.slice(0, 2)}; wrong ${each.wrong.slice(0, 2)}\n`,
    );
  }
}
