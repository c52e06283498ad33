/** `dex note` and `dex notes`: memories that need not be in every pack. */
import * as z from "zod";
import { savedOutput, saveMemory, saverOf, savingOutput } from "../../memory/save.ts";
import { listMemories, removeMemory } from "../../memory/saved.ts";
import { fetchTeamNews } from "../../search/with_team.ts";
import { MEMORY_KINDS } from "../../store/state/memories.ts";
import { defineOperation } from "../operation.ts";
import { limitField, offsetField, projectFolderField } from "../shared/fields.ts";
import { idField, listedOutput, savingInput } from "./fields.ts";

export const note = defineOperation({
  name: "dex_note",
  verb: "note",
  summary: "Save a note for this project",
  positionals: ["text"],
  input: savingInput("The note"),
  output: savingOutput,
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  web: true,
  run: (dex, input, context) => saveMemory(dex, { ...input, kind: "note" }, saverOf(dex, "current", context)),
});

export const notes = defineOperation({
  name: "dex_notes",
  verb: "notes",
  summary: "List the memories of this project and of all projects: notes, preferences, gotchas, pins",
  positionals: ["query"],
  input: z.strictObject({
    query: z.string().max(1000).optional().describe("Words to match (default: all)"),
    kind: z.enum(MEMORY_KINDS).optional().describe("Only this kind"),
    project: projectFolderField,
    limit: limitField(20),
    offset: offsetField,
  }),
  output: listedOutput,
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  toolset: "memory",
  unlisted: ["offset"],
  run: async (dex, input, context) => {
    await fetchTeamNews(dex, context);
    return listMemories(dex, input, ({ kind }) => input.kind === undefined || kind === input.kind);
  },
  isEmpty: ({ memories }) => memories.length === 0,
});

export const notesRm = defineOperation({
  name: "dex_notes_rm",
  verb: "notes rm",
  summary: "Remove a note, preference, gotcha or pin",
  positionals: ["id"],
  input: z.strictObject({ id: idField("note"), project: projectFolderField }),
  output: z.object({ removed: savedOutput }),
  readOnly: false,
  idempotent: false,
  syncBefore: "none",
  web: true,
  run: (dex, input) => ({ removed: removeMemory(dex, input, () => true, "note") }),
});
