/** `dex blame --summary`: the shares of agents, conversations and ages in the lines of a file, a folder or the project. */
import { resolve } from "node:path";
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { countLines } from "../../history/blame/count.ts";
import { PEOPLE, type Shares, sharesOf, UNKNOWN } from "../../history/blame/shares.ts";
import { insidePath } from "../../history/repository.ts";
import { storeDerived } from "../../history/update.ts";
import { integrationById } from "../../integrations/registry.ts";
import { DexError } from "../../kernel/errors.ts";
import { realPath } from "../../kernel/files/paths.ts";
import { plural } from "../../kernel/text.ts";
import { type OpenRepository, outsideRepository } from "../../project/repository.ts";
import { originFields } from "../../search/results/result_schema.ts";
import type { IndexReader } from "../../store/index_reader.ts";
import type { OperationContext } from "../operation.ts";
import { type Choice, withChosen } from "./chosen.ts";
import { linkOf } from "./fields.ts";

/** The next call goes on with the files that are left. */
const MAX_COUNTING_MS = 60_000;

const share = { lines: z.number(), share: z.number() };

export const summaryOutput = z.object({
  /** The file or folder; empty for the whole project. */
  path: z.string(),
  files: z.number(),
  lines: z.number(),
  by_agent: z.array(
    z.object({
      /** Its name, "people" for commits that no agent is known to have made, "unknown" for commits without a record. */
      agent: z.string(),
      ...share,
      /** Lines of commits that a conversation made, probably made, or that only name the agent (Co-authored-by). */
      made: z.number(),
      probable: z.number(),
      named: z.number(),
    }),
  ),
  by_conversation: z.array(
    z.object({
      id: z.string(),
      source: z.string(),
      title: z.string(),
      address: z.string(),
      date: z.string(),
      ...originFields,
      ...share,
      /** Of these, lines of commits that it probably made. */
      probable: z.number(),
    }),
  ),
  conversations: z.number(),
  /** By month, quarter or year of the commit, the oldest first. */
  by_age: z.array(z.object({ period: z.string(), ...share })),
  /** Files that were not counted: binary, unreadable, or left for the next call because the time was up. */
  binary: z.number(),
  unreadable: z.number(),
  left: z.number(),
});

export async function blameSummary(
  dex: Dex,
  open: OpenRepository,
  { place, limit, ...choice }: Choice & { place?: string | undefined; limit: number },
  context: OperationContext,
): Promise<z.output<typeof summaryOutput>> {
  const { repository, history } = open;
  const path = summaryPath(open, place);
  const counted = await countLines(repository, history, {
    path,
    timeoutMs: MAX_COUNTING_MS,
    progress: (done, total) => context.progress?.(done, total, "files"),
    signal: context.signal,
  });
  if (counted.fresh.length > 0) {
    await storeDerived(repository, dex.paths.history, (writer) => {
      writer.setLineCounts(counted.fresh);
      writer.commit();
    });
  }
  const { files, binary, unreadable, left } = counted;
  if (files.length + binary + unreadable + left === 0) {
    throw new DexError("unknown_file", `${path} has no file in the last commit.`, {
      hint: "Give a file or folder of the last commit.",
      exitCode: 1,
    });
  }
  if (left > 0) {
    context.notice?.(
      `${plural(left, "file")} could not be counted in time: the shares are partial. Call it again to go on.`,
    );
  }
  if (unreadable > 0) context.notice?.(`git could not blame ${plural(unreadable, "file")}: objects may be missing.`);
  const counts = await withChosen(dex, open, choice, context, ({ links, dex: { store } }) => {
    const shares = sharesOf(
      files,
      (sha) => history.byPrefix(sha, 1)[0],
      (commit) => links.of(commit, () => history.filesOf(commit.no).map((file) => file.path)),
    );
    return sharesOutput(shares, limit, store.home);
  });
  return { path, files: files.length, ...counts, binary, unreadable, left };
}

/** Relative to the root; empty for the root itself. */
function summaryPath(open: OpenRepository, place: string | undefined): string {
  if (place === undefined) return "";
  const { repository, folder } = open;
  if (realPath(resolve(folder, place)) === repository.root) return "";
  const inside = insidePath(repository, place.replace(/(.)\/+$/, "$1"), folder);
  if (inside !== undefined) return inside;
  throw outsideRepository(open, place);
}

function sharesOutput({ lines, agents, conversations, ages }: Shares, limit: number, home: IndexReader["home"]) {
  const part = (count: number): number => Math.round((count / Math.max(1, lines)) * 1000) / 1000;
  return {
    lines,
    by_agent: agents.map(({ agent, ...counts }) => ({ agent: nameOf(agent), share: part(counts.lines), ...counts })),
    by_conversation: conversations.slice(0, limit).map(({ link, lines: count, probable }) => {
      const { by: _, confidence: __, ...about } = linkOf({ ...link, message: null }, home);
      return { ...about, lines: count, share: part(count), probable };
    }),
    conversations: conversations.length,
    by_age: ages.map(({ period, lines: count }) => ({ period, lines: count, share: part(count) })),
  };
}

function nameOf(agent: string): string {
  return agent === PEOPLE || agent === UNKNOWN ? agent : (integrationById(agent)?.name ?? agent);
}
