/** `dex restore`: a file as a conversation last wrote it, reconstructed from the recorded writes and edits. */
import { lstatSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { insidePath, ofOtherRepository } from "../../history/repository.ts";
import { committedVersions } from "../../history/restore/committed.ts";
import { type FileVersion, reconstruct } from "../../history/restore/reconstruct.ts";
import { DexError } from "../../kernel/errors.ts";
import { writeFileAtomic } from "../../kernel/files/atomic_write.ts";
import { isBelow, realPath } from "../../kernel/files/paths.ts";
import { plural } from "../../kernel/text.ts";
import { conversationLoader } from "../../project/loading.ts";
import { type OpenRepository, resolveFile, withRepository } from "../../project/repository.ts";
import { resolveAddress } from "../../search/filters/resolve.ts";
import type { TrailConversation } from "../../store/trails.ts";
import { defineOperation, type OperationContext } from "../operation.ts";
import { limitField, projectFolderField } from "../shared/fields.ts";

/** Conversations that are read, the latest first. */
const MAX_CONVERSATIONS = 20;
const MAX_COMMITS = 10_000;
const FILE_MODE = 0o644;

const version = z.object({
  /** id#index of the message that made it. */
  address: z.string(),
  source: z.string(),
  title: z.string(),
  time: z.string(),
  how: z.enum(["write", "replace", "insert", "patch", "delete", "unclear"]),
  /** False: the content after this edit is unknown, for the reason in `why`. */
  known: z.boolean(),
  why: z.string().optional(),
  bytes: z.number().optional(),
});

export const restore = defineOperation({
  name: "dex_restore",
  verb: "restore",
  summary: "Print a file as a conversation last wrote it",
  positionals: ["path"],
  input: z.strictObject({
    path: z.string().min(1).max(4096).describe("The file, or the end of its path"),
    conversation: z.string().max(500).optional().describe("Only this conversation"),
    at: z.string().max(500).optional().describe("As of this message: id#12"),
    list: z.boolean().default(false).describe("List the versions instead"),
    output: z
      .string()
      .min(1)
      .max(4096)
      .optional()
      .describe("Write it to this file in the repository or current folder"),
    force: z.boolean().default(false).describe("Overwrite the output file"),
    project: projectFolderField,
    limit: limitField(50),
  }),
  output: z.object({
    file: z.string(),
    /** Absent with --list. */
    version: version.optional(),
    text: z.string().optional(),
    /** Where the reconstruction begins: the conversation wrote or read the whole file, or a commit had it. */
    base: z.enum(["write", "read", "commit"]).optional(),
    base_commit: z.string().optional(),
    /** Parts that dex redacted: they are not the file's own text. */
    redacted: z.number().optional(),
    /** Later edits whose result is unknown. */
    missing: z.array(version),
    versions: z.array(version).optional(),
    total: z.number().optional(),
    /** The file that was written. */
    written: z.string().optional(),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "conversations",
  run: (dex, input, context) =>
    withRepository(dex, input.project, context, async (open) => {
      const file = resolveFile(open, input.path);
      const wanted = wantedMessage(dex, input.conversation, input.at);
      const found = await versionsOf(dex, open, file, wanted);
      if (found.length === 0) {
        const other = ofOtherRepository(open.repository, file);
        if (other) throw other;
        throw new DexError("no_version", `No conversation here wrote ${file}, as far as dex knows.`, {
          hint: `\`dex history ${file}\` shows the conversations and commits of a file.`,
          exitCode: 1,
        });
      }
      if (input.list) {
        const listed = [...found].reverse();
        const versions = listed.slice(0, input.limit).map(versionOutput);
        return { file, missing: [], versions, total: listed.length };
      }
      return restored(dex, open, file, found, input, context);
    }),
});

type Found = FileVersion & { row: TrailConversation };

function wantedMessage(
  dex: Dex,
  conversation: string | undefined,
  at: string | undefined,
): { no: number; index?: number } | undefined {
  if (conversation === undefined && at === undefined) return undefined;
  // A bare index belongs to the given conversation.
  const typed = at !== undefined && /^#?\d{1,9}$/.test(at) ? `${conversation ?? ""}#${at.replace("#", "")}` : at;
  const { row, index } = resolveAddress(dex, typed ?? conversation ?? "");
  return { no: row.no, ...(index === undefined ? {} : { index }) };
}

/** All versions, the oldest first. */
async function versionsOf(
  dex: Dex,
  open: OpenRepository,
  file: string,
  wanted: { no: number; index?: number } | undefined,
): Promise<Found[]> {
  const commits = open.history.commitsOf(file, MAX_COMMITS);
  const names = new Set([file, ...commits.flatMap(({ path, old }) => (old === null ? [path] : [path, old]))]);
  const rows = open.links
    .touching([...names])
    .filter(({ row, how }) => how === "edited" && (wanted === undefined || wanted.no === row.no))
    .map(({ row }) => row);
  const found: Found[] = [];
  for (const row of rows.slice(0, MAX_CONVERSATIONS)) {
    const versions = await reconstruct(conversationLoader(dex)(row), {
      isFile: (path) => names.has(insidePath(open.repository, path, row.project) ?? ""),
      fallback: row.updated,
      committed: (after, before) => committedVersions(open, file, after, before),
    });
    for (const each of versions) {
      if (wanted?.index === undefined || each.index <= wanted.index) found.push({ ...each, row });
    }
  }
  return found.sort((a, b) => a.time - b.time || a.row.no - b.row.no || a.index - b.index);
}

function restored(
  dex: Dex,
  open: OpenRepository,
  file: string,
  found: readonly Found[],
  input: { output?: string | undefined; force: boolean },
  context: OperationContext,
) {
  const at = found.findLastIndex(({ text }) => text !== undefined);
  const last = found[at];
  const missing = found.slice(at + 1).map(versionOutput);
  if (!last || last.text === undefined) {
    const why = found.at(-1)?.why ?? "its content is unknown";
    throw new DexError("no_version", `${file} cannot be restored: ${why}.`, {
      hint: `Its ${plural(found.length, "edit")} can be listed with \`dex restore ${file} --list\`.`,
      exitCode: 1,
    });
  }
  if (last.text === null) {
    throw new DexError("no_version", `The last conversation that changed ${file} deleted it (${addressOf(last)}).`, {
      hint: `\`dex restore ${file} --list\` shows the versions before; give one with --at.`,
      exitCode: 1,
    });
  }
  const redacted = last.text.match(/\[REDACTED:[\w-]+\]/g)?.length ?? 0;
  if (redacted > 0) {
    context.notice?.(`${plural(redacted, "part")} of the file was redacted when dex archived it, and stays redacted.`);
  }
  if (missing.length > 0) {
    context.notice?.(
      `${plural(missing.length, "later edit")} could not be applied: ${missing[0]?.why ?? "unknown"}. \`--list\` shows them.`,
    );
  }
  if (last.base?.from === "commit") {
    context.notice?.(
      `The conversation only edited the file; the rest is from commit ${last.base.sha.slice(0, 9)}, the last one before.`,
    );
  }
  const written = input.output === undefined ? undefined : write(dex, open, input.output, last.text, input.force);
  return {
    file,
    version: versionOutput(last),
    text: last.text,
    ...(last.base ? { base: last.base.from } : {}),
    ...(last.base?.from === "commit" ? { base_commit: last.base.sha } : {}),
    ...(redacted > 0 ? { redacted } : {}),
    missing,
    ...(written === undefined ? {} : { written }),
  };
}

/** Writes into the repository or the current folder only, never through a link, and not into a git folder. */
function write(dex: Dex, open: OpenRepository, output: string, text: string, force: boolean): string {
  const named = resolve(dex.cwd, output);
  const path = join(realPath(dirname(named)), basename(named));
  const isInside = [open.repository.root, realPath(dex.cwd)].some((folder) => path !== folder && isBelow(folder, path));
  if (!isInside || path.split("/").includes(".git")) {
    throw new DexError(
      "outside",
      `${output} is neither in the repository ${open.repository.root} nor in the current folder.`,
      {
        hint: "Print the file instead, and let the shell write it: dex restore … > file.",
      },
    );
  }
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats && !stats.isFile()) {
    throw new DexError("not_a_file", `${path} is not a regular file, so dex does not replace it.`, {
      hint: "Choose another path for --output.",
    });
  }
  if (stats && !force) {
    throw new DexError("file_exists", `${path} exists already.`, { hint: "Overwrite it with --force." });
  }
  writeFileAtomic(path, text, stats ? stats.mode & 0o777 : FILE_MODE);
  return path;
}

function addressOf({ row, index }: Found): string {
  return `${row.id}#${index}`;
}

function versionOutput(found: Found): z.output<typeof version> {
  const { row, time, kind, text, why } = found;
  return {
    address: addressOf(found),
    source: row.source,
    title: row.title,
    time: new Date(time).toISOString(),
    how: kind,
    known: text !== undefined,
    ...(why === undefined ? {} : { why }),
    ...(typeof text === "string" ? { bytes: Buffer.byteLength(text) } : {}),
  };
}
