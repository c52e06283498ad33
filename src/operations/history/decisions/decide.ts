/** `dex decide`: records a decision by hand. */
import * as z from "zod";
import { saverOf } from "../../../memory/save.ts";
import { saveDecision } from "../../../project/decide.ts";
import { defineOperation } from "../../operation.ts";
import { projectFolderField } from "../../shared/fields.ts";
import { decisionOutput, listedDecision } from "../fields.ts";

const MAX_LISTED = 50;

export const decide = defineOperation({
  name: "dex_decide",
  verb: "decide",
  summary: "Record a decision with its reason and the files it concerns",
  positionals: ["text"],
  input: z.strictObject({
    text: z.string().trim().min(1).max(2000).describe("The decision"),
    because: z.string().max(2000).optional().describe("The reason"),
    instead_of: z.array(z.string().max(300)).max(MAX_LISTED).default([]).describe("A rejected alternative"),
    file: z.array(z.string().max(4096)).max(MAX_LISTED).default([]).describe("A file it concerns"),
    symbol: z.array(z.string().max(300)).max(MAX_LISTED).default([]).describe("A function or class it concerns"),
    project: projectFolderField,
  }),
  output: z.object({ decision: decisionOutput }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  web: true,
  run: async (dex, input, context) => {
    const { decision } = await saveDecision(dex, input, saverOf(dex, "current", context), context);
    return { decision: listedDecision(decision) };
  },
});
