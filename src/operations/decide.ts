import * as z from "zod";
import { decisionId } from "../decisions/decision.ts";
import { redactText } from "../redact/redact.ts";
import {
  decisionOutput,
  decisionsOf,
  listedDecision,
  notesKey,
  resolveDecision,
  withState,
} from "./decision_sources.ts";
import { defineOperation } from "./operation.ts";
import { repositoryField, resolveFile, withRepository } from "./repository.ts";

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
  fresh: false,
  run: (dex, input, context) =>
    withRepository(dex, input.repository, context, async (open) => {
      const text = redactText(input.text).text;
      const decision = {
        id: decisionId(text),
        repository: notesKey(open),
        text,
        because: input.because === undefined ? null : redactText(input.because).text,
        alternatives: input.instead_of.map((each) => redactText(each).text),
        files: [...new Set(input.file.map((file) => resolveFile(open, file)))],
        symbols: input.symbol,
        time: dex.now(),
      };
      withState(dex, (state) => state.decisions.add(decision));
      return { decision: listedDecision(resolveDecision(await decisionsOf(dex, open, context), decision.id)) };
    }),
});
