/** `dex blame`: the commits that lines come from, and the conversations that wrote them. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { type BlamedLine, blameLines } from "../../history/blame/lines.ts";
import { isShort, type LineWriter, LineWriters, type WrittenLine } from "../../history/blame/writers.ts";
import type { LineRange } from "../../history/symbols.ts";
import { defined } from "../../kernel/defined.ts";
import { DexError } from "../../kernel/errors.ts";
import { plural } from "../../kernel/text.ts";
import { codeGraph, locateIn } from "../../project/code.ts";
import { conversationLoader } from "../../project/loading.ts";
import { folderIn, needsGit, type OpenRepository, resolveFile, withRepository } from "../../project/repository.ts";
import { withNearPath } from "../../project/unknown_target.ts";
import { originIn } from "../../search/results/describe.ts";
import { originFields } from "../../search/results/result_schema.ts";
import type { CommitInfo } from "../../store/history_records.ts";
import type { IndexReader } from "../../store/index_reader.ts";
import { defineOperation, type OperationContext } from "../operation.ts";
import { choiceFields, limitField, projectFolderField } from "../shared/fields.ts";
import { blameSummary, summaryOutput } from "./blame_summary.ts";
import { type Chosen, withChosen } from "./chosen.ts";
import { commitLink, linkOutput } from "./fields.ts";

/** Definitions of one symbol. */
const MAX_DEFINITIONS = 5;
const MAX_LOOKAHEAD_LINES = 5;

const range = z.object({
  file: z.string(),
  first: z.number(),
  last: z.number(),
  /** Its lines. */
  text: z.string(),
  /** Absent when the lines are not committed yet. */
  commit: z
    .object({
      sha: z.string(),
      author: z.string(),
      time: z.string(),
      subject: z.string(),
      /** The file:line of the first line in that commit. */
      place: z.string(),
      /** The clone is shallow and begins with this commit: the lines may be older. */
      boundary: z.literal(true).optional(),
    })
    .optional(),
  /** The commit is unknown, because the repository lacks an earlier version of the file. */
  unknown: z.literal(true).optional(),
  /** The conversation that made the commit. */
  conversation: linkOutput.optional(),
  /** The message whose edit contains these exact lines. */
  written_by: z
    .object({ address: z.string(), source: z.string(), title: z.string(), time: z.string(), ...originFields })
    .optional(),
});

type Range = z.output<typeof range>;

export const blame = defineOperation({
  name: "dex_blame",
  verb: "blame",
  summary: "Show the commits of lines, and the conversations that wrote them",
  positionals: ["place"],
  input: z.strictObject({
    place: z.string().max(4200).optional().describe("file, file:line or file:from-to; a folder gives its summary"),
    symbol: z.string().min(1).max(300).optional().describe("The lines of this function or class instead"),
    summary: z.boolean().default(false).describe("Only the shares of agents, conversations and ages in the lines"),
    project: projectFolderField,
    ...choiceFields,
    limit: limitField(50),
  }),
  output: z.object({
    ranges: z.array(range),
    /** The rest, when there are more ranges than the limit: a place for the next call. */
    next: z.string().optional(),
    summary: summaryOutput.optional(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  traced: true,
  toolset: "code",
  aliases: { place: ["file", "target"] },
  queryField: "place",
  unlisted: ["team", "local", "by"],
  run: (dex, input, context) =>
    withRepository(dex, input.project, context, async (open) => {
      needsGit(open);
      if (input.summary || (input.place !== undefined && folderIn(open, input.place) !== undefined)) {
        if (input.symbol !== undefined)
          throw badPlace("A summary is of a file, a folder or the project, not a symbol.");
        return { ranges: [], summary: await blameSummary(dex, open, input, context) };
      }
      const files = await linesOf(open, await placesOf(dex, open, input, context), context);
      return withChosen(dex, open, input, context, (chosen, heard) => blameFiles(chosen, files, input.limit, heard));
    }),
});

type Place = Pick<LineRange, "file"> & { range?: { from: number; to: number } };

async function placesOf(
  dex: Dex,
  open: OpenRepository,
  { place, symbol }: { place?: string | undefined; symbol?: string | undefined },
  context: OperationContext,
): Promise<Place[]> {
  if (symbol !== undefined) {
    if (place !== undefined) throw badPlace("Give a place or a symbol, not both.");
    const found = await locateIn(await codeGraph(dex, open.repository, context))(open.repository, symbol);
    if (found.length === 0) {
      throw new DexError("unknown_symbol", `No definition of "${symbol}" was found in ${open.repository.root}.`, {
        hint: "Check the name. `dex code index` makes the definitions of all languages known.",
      });
    }
    if (found.length > MAX_DEFINITIONS) {
      context.notice?.(`${symbol} has ${found.length} definitions; the first ${MAX_DEFINITIONS} are shown.`);
    }
    return found.slice(0, MAX_DEFINITIONS).map(({ file, first, last }) => ({ file, range: { from: first, to: last } }));
  }
  if (place === undefined) throw badPlace("Name the lines to blame: a file, a line, a range or a symbol.");
  const [, name, from, to] = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(place) ?? [];
  if (name === undefined) return [{ file: resolveFile(open, place) }];
  const first = Number(from);
  const last = to === undefined ? first : Number(to);
  if (first < 1 || last < first) throw badPlace(`"${place}" does not name a range of lines.`);
  return [{ file: resolveFile(open, name), range: { from: first, to: last } }];
}

function badPlace(sentence: string): DexError {
  return new DexError("bad_place", sentence, {
    hint: "For example src/a.ts:12, src/a.ts:12-40 or src/a.ts, or a function with --symbol.",
  });
}

interface BlamedFile {
  file: string;
  lines: BlamedLine[];
}

async function linesOf(
  open: OpenRepository,
  places: readonly Place[],
  context: OperationContext,
): Promise<BlamedFile[]> {
  const files: BlamedFile[] = [];
  for (const { file, range: wanted } of places) {
    const lines = await blameLines(open.repository, file, wanted).catch((error: unknown) => {
      throw withNearPath(open, file, error);
    });
    const unknown = lines.filter((line) => line.unknown).length;
    if (unknown > 0) {
      const lacks = `the repository lacks earlier versions of ${file} (see \`git fsck\`)`;
      context.notice?.(
        `The ${unknown === 1 ? "commit of 1 line is" : `commits of ${unknown} lines are`} unknown: ${lacks}.`,
      );
    }
    files.push({ file, lines });
  }
  return files;
}

function blameFiles(
  chosen: Chosen,
  files: readonly BlamedFile[],
  limit: number,
  context: OperationContext,
): { ranges: Range[]; next?: string } {
  const writers = new LineWriters(chosen.links, conversationLoader(chosen.dex));
  const ranges: Range[] = [];
  let next: string | undefined;
  for (const { file, lines } of files) {
    const found = rangesOf(chosen, writers, file, lines, limit - ranges.length);
    ranges.push(...found.ranges);
    if (found.next !== undefined) {
      next = `${file}:${found.next}-${lines.at(-1)?.line ?? found.next}`;
      break;
    }
  }
  if (writers.left > 0) {
    context.notice?.(
      `${plural(writers.left, "more conversation")} could contain the edits; blame fewer lines to search them, too.`,
    );
  }
  context.trace?.({
    ranking: ranges.map(({ file, first, last, commit }) => ({
      id: `${file}:${first}-${last}`,
      source: commit === undefined ? "uncommitted" : commit.sha.slice(0, 12),
    })),
  });
  return { ranges, ...(next === undefined ? {} : { next }) };
}

/** Runs of lines with the same commit and the same writer. */
function rangesOf(
  chosen: Chosen,
  writers: LineWriters,
  file: string,
  lines: readonly BlamedLine[],
  limit: number,
): { ranges: Range[]; next?: number } {
  const { dex } = chosen;
  const commits = new Map<string, ReturnType<typeof commitOf>>();
  const commitAt = (sha: string | undefined): ReturnType<typeof commitOf> => {
    const known = commits.get(sha ?? "") ?? commitOf(chosen, sha);
    commits.set(sha ?? "", known);
    return known;
  };
  const written = (line: BlamedLine): WrittenLine => {
    const { commit, link } = commitAt(line.sha);
    const names = [...new Set([file, line.original_path])];
    return { names, text: line.text, authored: commit?.authored ?? dex.now(), linked: link?.id };
  };
  /** The next line of the same commit that is long enough decides for the short ones before it. */
  const writerBelow = (at: number): LineWriter | undefined => {
    const below = lines.slice(at, at + MAX_LOOKAHEAD_LINES).findIndex(({ text }) => !isShort(text));
    const line = below < 0 ? undefined : lines[at + below];
    return line && line.sha === lines[at]?.sha ? writers.of(written(line), () => undefined) : undefined;
  };
  const ranges: Range[] = [];
  let last: { sha: string; writer: LineWriter | undefined } | undefined;
  for (const [at, line] of lines.entries()) {
    const sha = line.sha ?? (line.unknown ? "unknown" : "");
    const { commit, link } = commitAt(line.sha);
    const above = last?.sha === sha ? last.writer : undefined;
    const writer = writers.of(written(line), () => above ?? writerBelow(at));
    const before = ranges.at(-1);
    if (before && last?.sha === sha && sameWriter(last.writer, writer)) {
      before.last = line.line;
      before.text += `\n${line.text}`;
    } else {
      if (ranges.length >= limit) return { ranges, next: line.line };
      const range: Range = {
        file,
        first: line.line,
        last: line.line,
        text: line.text,
        commit: commit && commitOutput(commit, line),
        unknown: line.unknown || undefined,
        conversation: link,
        written_by: writer && writerOutput(writer, dex.store.home),
      };
      ranges.push(defined(range));
    }
    last = { sha, writer };
  }
  return { ranges };
}

function commitOf(chosen: Chosen, sha: string | undefined) {
  const commit = sha === undefined ? undefined : chosen.history.byPrefix(sha, 1)[0];
  const link = commit && !commit.boundary ? commitLink(chosen, commit, chosen.dex.store.home) : undefined;
  return { commit, link };
}

function sameWriter(a: LineWriter | undefined, b: LineWriter | undefined): boolean {
  return a?.row.no === b?.row.no && a?.index === b?.index;
}

function commitOutput(
  { sha, author, time, subject, boundary }: CommitInfo,
  line: BlamedLine,
): NonNullable<Range["commit"]> {
  const place = `${line.original_path}:${line.original_line}`;
  const known = { sha, author, time: new Date(time).toISOString(), subject, place };
  return boundary ? { ...known, boundary: true } : known;
}

function writerOutput({ row, index, time }: LineWriter, home: IndexReader["home"]): NonNullable<Range["written_by"]> {
  const { id, source, title } = row;
  return { address: `${id}#${index}`, source, title, time: new Date(time).toISOString(), ...originIn(home, row) };
}
