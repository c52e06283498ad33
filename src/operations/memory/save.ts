/** `dex save`: saves a memory of any kind, for agents. */
import * as z from "zod";
import { listedOrigins, nearDuplicates, saveMemory, saverOf, savingOutput } from "../../memory/save.ts";
import { saveDecision } from "../../project/decide.ts";
import { MAX_REASON_CHARS } from "../../project/saving.ts";
import { MEMORY_KINDS } from "../../store/state/memories.ts";
import { defineOperation } from "../operation.ts";
import { projectFolderField } from "../shared/fields.ts";
import { textField } from "./fields.ts";

const MAX_DECISION_CHARS = 2000;

export const save = defineOperation({
  name: "dex_save",
  verb: "save",
  summary: "Save a decision, preference, gotcha, note or pin for later conversations of this project",
  positionals: ["text"],
  input: z
    .strictObject({
      text: textField.describe("One plain sentence"),
      kind: z
        .enum(["decision", ...MEMORY_KINDS])
        .default("note")
        .describe("The kind of memory"),
      because: z.string().max(MAX_REASON_CHARS).optional().describe("The reason"),
      files: z.array(z.string().max(4096)).max(50).default([]).describe("Files it concerns"),
      session: z
        .string()
        .max(500)
        .default("current")
        .describe("The conversation it comes from: current, id or id#index"),
      global: z.boolean().default(false).describe("For all projects"),
      project: projectFolderField,
    })
    .refine(({ kind, global }) => kind !== "decision" || !global, {
      path: ["global"],
      message: "a decision belongs to one project",
    })
    .refine(({ kind, text }) => kind !== "decision" || text.length <= MAX_DECISION_CHARS, {
      path: ["text"],
      message: `a decision has at most ${MAX_DECISION_CHARS} characters`,
    }),
  output: savingOutput,
  readOnly: false,
  idempotent: true,
  syncBefore: "conversations",
  toolset: "memory",
  aliases: { files: ["file"] },
  run: async (dex, input, context) => {
    const saver = saverOf(dex, input.session, context);
    const { kind, files, text, because, project } = input;
    if (kind !== "decision") return saveMemory(dex, { ...input, kind, file: files }, saver);
    const asked = { text, because, project, file: files, instead_of: [], symbol: [] };
    const { decision, merged, origins, redactions, others } = await saveDecision(dex, asked, saver, context);
    const inForce = others.filter((each) => each.shown && (each.status === "accepted" || each.status === "proposed"));
    return {
      saved: {
        id: decision.id,
        kind,
        text: decision.text,
        because: decision.because,
        files: decision.files,
        global: false,
        date: new Date(decision.time).toISOString(),
        saved_by: listedOrigins(origins),
      },
      merged,
      near: nearDuplicates(dex, decision.text, inForce),
      redactions,
    };
  },
});
