/** `dex docs list`: the collections of documentation visible from here. */
import * as z from "zod";
import { listArchived } from "../../../collections/archive.ts";
import { untrustedError } from "../../../collections/declaring/declared.ts";
import { MISSING_INDEX } from "../../../collections/freshen.ts";
import { documentedVersion } from "../../../collections/library.ts";
import { defineOperation } from "../../operation.ts";

export const docsList = defineOperation({
  name: "documents_list_collections",
  verb: "docs list",
  summary: "List the documentation collections of this project and of all projects",
  positionals: [],
  input: z.strictObject({}),
  output: z.object({
    collections: z.array(
      z.object({
        name: z.string(),
        origin: z.enum(["project", "global"]),
        source: z.string(),
        /** The version of a package that it documents; null if it documents none, or none is known. */
        version: z.string().nullable(),
        /** Of a package with several versions here: the one that a search uses, and why. */
        chosen: z.object({ package: z.string(), reason: z.string() }).optional(),
        documents: z.number(),
        estimated_tokens: z.number(),
        bytes: z.number(),
        /** When its last sync ended; null when it was never synced. */
        synced: z.string().nullable(),
        /** Files that the last sync could not fetch. */
        failed: z.number(),
      }),
    ),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  toolset: "documents",
  run: async (dex, _input, context) => {
    const waiting = (await dex.collections()).filter(({ trusted }) => !trusted);
    for (const { message, hint } of waiting.map(untrustedError)) context.notice?.(`${message} ${hint}`);
    const library = await dex.library();
    const rows = new Map(library.reader.collections().map((row) => [row.id, row]));
    const archived = rows.size > 0 ? [] : listArchived(dex.paths.documentArchive);
    if (library.collections.some(({ id }) => archived.includes(id))) context.notice?.(MISSING_INDEX);
    return {
      collections: library.collections.map((declared) => {
        const { name, id, canonical, origin, file, implicit } = declared;
        const row = rows.get(id);
        const choice = library.choices.find(({ collection }) => collection === name);
        return {
          name,
          origin,
          source: implicit ? file : canonical,
          version: documentedVersion(library.reader, declared) ?? null,
          ...(choice ? { chosen: { package: choice.package, reason: choice.reason } } : {}),
          documents: row?.documents ?? 0,
          estimated_tokens: row?.tokens ?? 0,
          bytes: row?.bytes ?? 0,
          synced: row?.synced == null ? null : new Date(row.synced).toISOString(),
          failed: row?.failed ?? 0,
        };
      }),
    };
  },
  isEmpty: (output) => output.collections.length === 0,
});
