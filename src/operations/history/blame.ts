/** `dex blame`: the commit that a line comes from, and the conversation that wrote it. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { blameLine, wroteLine } from "../../history/blame.ts";
import { insidePath } from "../../history/repository.ts";
import { DexError } from "../../kernel/errors.ts";
import { conversationLoader } from "../../project/decisions.ts";
import { needsGit, type OpenRepository, resolveFile, withRepository } from "../../project/repository.ts";
import type { TrailConversation } from "../../store/history.ts";
import { defineOperation } from "../operation.ts";
import { repositoryField } from "../shared/fields.ts";
import { commitLink, linkOutput } from "./fields.ts";

/** Conversations whose messages are searched for the edit. */
const MAX_CONVERSATIONS_SEARCHED = 5;
/** A line may be written this long before it is committed. */
const MAX_EDIT_AGE_MS = 30 * 86_400_000;

export const blame = defineOperation({
  name: "dex_blame",
  verb: "blame",
  summary: "Show the commit of a line, and the conversation that wrote it",
  positionals: ["place"],
  input: z.strictObject({
    place: z.string().max(4200).describe("file:line"),
    repository: repositoryField,
  }),
  output: z.object({
    file: z.string(),
    line: z.number(),
    text: z.string(),
    /** Absent when the line is not committed yet. */
    commit: z
      .object({
        sha: z.string(),
        author: z.string(),
        time: z.string(),
        subject: z.string(),
        /** Its file:line in that commit. */
        place: z.string(),
      })
      .optional(),
    /** The conversation that made the commit. */
    conversation: linkOutput.optional(),
    /** The message whose edit contains this exact line. */
    written_by: z.object({ address: z.string(), source: z.string(), title: z.string(), time: z.string() }).optional(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  traced: true,
  queryField: "place",
  run: (dex, input, context) =>
    withRepository(dex, input.repository, context, async (open) => {
      needsGit(open);
      const place = /^(.+):(\d{1,9})$/s.exec(input.place);
      if (!place) {
        throw new DexError("bad_place", `"${input.place}" does not have the form file:line.`, {
          hint: "Try `dex blame src/a.ts:12`.",
        });
      }
      const file = resolveFile(open, place[1] ?? "");
      const found = await blameLine(open.repository, file, Number(place[2]));
      const commit = found.sha === undefined ? undefined : open.history.byPrefix(found.sha, 1)[0];
      const link = commit && commitLink(open, commit);
      const names = [...new Set([file, found.original_path])];
      const writer = writerOf(dex, open, names, found.text, commit?.authored ?? dex.now(), link?.id);
      return {
        file,
        line: found.line,
        text: found.text,
        ...(commit
          ? {
              commit: {
                sha: commit.sha,
                author: commit.author,
                time: new Date(commit.time).toISOString(),
                subject: commit.subject,
                place: `${found.original_path}:${found.original_line}`,
              },
            }
          : {}),
        ...(link ? { conversation: link } : {}),
        ...(writer ? { written_by: writer } : {}),
      };
    }),
});

/** The last edit with this line before the commit. The conversation that made the commit is searched first. */
function writerOf(
  dex: Dex,
  open: OpenRepository,
  names: readonly string[],
  text: string,
  authored: number,
  linked: string | undefined,
): { address: string; source: string; title: string; time: string } | undefined {
  const near = open.links
    .touching(names)
    .filter(({ row, how }) => how === "edited" && row.created <= authored && row.updated >= authored - MAX_EDIT_AGE_MS)
    .map(({ row }) => row)
    .sort((a, b) => Number(b.id === linked) - Number(a.id === linked) || b.updated - a.updated);
  for (const row of near.slice(0, MAX_CONVERSATIONS_SEARCHED)) {
    const found = lastEditIn(dex, open, row, names, text, authored);
    if (found) return found;
  }
  return undefined;
}

function lastEditIn(
  dex: Dex,
  open: OpenRepository,
  row: TrailConversation,
  names: readonly string[],
  text: string,
  authored: number,
): { address: string; source: string; title: string; time: string } | undefined {
  const isFile = (path: string): boolean => names.includes(insidePath(open.repository, path, row.project) ?? "");
  let found: { index: number; time: number } | undefined;
  for (const { index, message } of conversationLoader(dex)(row)) {
    const time = message.time === undefined ? row.updated : Date.parse(message.time);
    // Commit times are whole seconds.
    if (time > authored + 1000) continue;
    if (wroteLine(message, text, isFile)) found = { index, time };
  }
  if (!found) return undefined;
  const { id, source, title } = row;
  return { address: `${id}#${found.index}`, source, title, time: new Date(found.time).toISOString() };
}
