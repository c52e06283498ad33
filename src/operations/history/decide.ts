import * as z from "zod";
import { saverOf } from "../../memory/save.ts";
import { saveDecision } from "../../project/decide.ts";
import { defineOperation } from "../operation.ts";
import { repositoryField } from "../shared/fields.ts";
import { decisionOutput, listedDecision } from "./fields.ts";

const MOST_NAMED = 50;

export const decide = defineOperation({
  name: "dex_decide",
  verb: "decide",
  summary: "Note a decision, with its reason and the files it is about",
  positionals: ["text"],
  input: z.strictObject({
    text: z.string().trim().min(1).max(2000).describe("What was decided"),
    because: z.string().max(2000).optional().describe("Why"),
    instead_of: z.array(z.string().max(300)).max(MOST_NAMED).default([]).describe("What was not taken"),
    file: z.array(z.string().max(4096)).max(MOST_NAMED).default([]).describe("A file it is about"),
    symbol: z.array(z.string().max(300)).max(MOST_NAMED).default([]).describe("A function or class it is about"),
    repository: repositoryField,
  }),
  output: z.object({ decision: decisionOutput }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input, context) => {
    const { decision } = await saveDecision(dex, input, saverOf(dex, "current", context), context);
    return { decision: listedDecision(decision) };
  },
});
