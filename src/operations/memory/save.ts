import * as z from "zod";
import { listedOrigins, nearDuplicates, saveMemory, saverOf, savingOutput } from "../../memory/save.ts";
import { saveDecision } from "../../project/decide.ts";
import { MAX_REASON_CHARS } from "../../project/saving.ts";
import { MEMORY_KINDS } from "../../store/memories.ts";
import { defineOperation } from "../operation.ts";
import { repositoryField } from "../shared/fields.ts";
import { textField } from "./fields.ts";

const LONGEST_DECISION = 2000;

export const save = defineOperation({
  name: "dex_save",
  verb: "save",
  summary: "Keep a decision, preference, gotcha, note or pin for later conversations of this project",
  positionals: ["text"],
  input: z
    .strictObject({
      text: textField.describe("One plain sentence"),
      kind: z
        .enum(["decision", ...MEMORY_KINDS])
        .default("note")
        .describe("What it is"),
      because: z.string().max(MAX_REASON_CHARS).optional().describe("Why"),
      files: z.array(z.string().max(4096)).max(50).default([]).describe("Files it is about"),
      session: z.string().max(500).default("current").describe("Where it was said: current, id or id#index"),
      global: z.boolean().default(false).describe("For all projects"),
      repository: repositoryField,
    })
    .refine(({ kind, global }) => kind !== "decision" || !global, {
      path: ["global"],
      message: "a decision belongs to one project",
    })
    .refine(({ kind, text }) => kind !== "decision" || text.length <= LONGEST_DECISION, {
      path: ["text"],
      message: `a decision has at most ${LONGEST_DECISION} characters`,
    }),
  output: savingOutput,
  readOnly: false,
  idempotent: true,
  fresh: true,
  toolset: "memory",
  run: async (dex, input, context) => {
    const saver = saverOf(dex, input.session, context);
    const { kind, files, text, because, repository } = input;
    if (kind !== "decision") return saveMemory(dex, { ...input, kind, file: files }, saver);
    const asked = { text, because, repository, file: files, instead_of: [], symbol: [] };
    const { decision, merged, origins, redactions, others } = await saveDecision(dex, asked, saver, context);
    const held = others.filter((each) => each.shown && (each.status === "accepted" || each.status === "proposed"));
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
      near: nearDuplicates(dex, decision.text, held),
      redactions,
    };
  },
});
