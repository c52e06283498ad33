/** `dex decisions`: the decisions of a project. */
import * as z from "zod";
import { ownFirst, STATUSES } from "../../../decisions/decision.ts";
import { matchDecisions } from "../../../decisions/search.ts";
import { decisionsOf } from "../../../project/decisions.ts";
import { resolveFile, withRepository } from "../../../project/repository.ts";
import { noSuchFile } from "../../../project/unknown_target.ts";
import { fetchTeamNews } from "../../../search/with_team.ts";
import { defineOperation } from "../../operation.ts";
import { limitField, offsetField, projectFolderField } from "../../shared/fields.ts";
import { decisionOutput, listedDecision } from "../fields.ts";

export const decisions = defineOperation({
  name: "dex_decisions",
  verb: "decisions",
  summary: "List this project's decisions, with reasons, rejected alternatives and sources",
  positionals: ["query"],
  input: z.strictObject({
    query: z.string().max(1000).optional().describe("Words of the topic (default: all decisions)"),
    file: z.string().max(4096).optional().describe("About this file"),
    symbol: z.string().max(300).optional().describe("About this function or class"),
    status: z.enum(STATUSES).optional().describe("Only decisions with this status"),
    all: z.boolean().default(false).describe("Include uncertain decisions and those no longer in force"),
    project: projectFolderField,
    limit: limitField(20),
    offset: offsetField,
  }),
  output: z.object({
    decisions: z.array(decisionOutput),
    total: z.number(),
    /** The number of decisions that `all` would show, when nothing is found without it. */
    hidden: z.number().optional(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  traced: true,
  toolset: "memory",
  unlisted: ["offset"],
  run: (dex, input, context) =>
    withRepository(dex, input.project, context, async (open) => {
      if (!open.repository.isProject) {
        context.notice?.("`dex decisions --project <folder or name>` lists the decisions of a project.");
      }
      await fetchTeamNews(dex, context);
      const found = await decisionsOf(dex, open, context);
      const file = input.file === undefined ? undefined : resolveFile(open, input.file);
      const matchingWith = (all: boolean): typeof found => {
        const wanted = found.filter(
          (each) =>
            (input.status === undefined ? all || isInForce(each.status) : each.status === input.status) &&
            (all || input.status === "rejected" || each.shown) &&
            (file === undefined || each.files.includes(file)) &&
            (input.symbol === undefined || each.symbols.includes(input.symbol)),
        );
        return ownFirst(input.query === undefined ? wanted : matchDecisions(wanted, input.query));
      };
      const matching = matchingWith(input.all);
      const hidden = matching.length > 0 || input.all ? 0 : matchingWith(true).length;
      if (matching.length === 0 && hidden === 0 && file !== undefined) {
        const missing = noSuchFile(open, file);
        if (missing !== undefined) context.notice?.(missing);
      }
      const shown = matching.slice(input.offset, input.offset + input.limit);
      context.trace?.({
        query: input.query ?? "",
        inputs: { decisions: found.length, matching: matching.length },
        budgets: { limit: input.limit, offset: input.offset },
        truncation: { results: Math.max(0, matching.length - input.offset - shown.length) },
        // Without the texts: some come from files unredacted, and traces are stored.
        ranking: shown.map(({ id, origin, score }) => ({ id, source: origin, score })),
      });
      return { decisions: shown.map(listedDecision), total: matching.length, ...(hidden > 0 ? { hidden } : {}) };
    }),
  isEmpty: (output) => output.decisions.length === 0,
});

function isInForce(status: string): boolean {
  return status === "accepted" || status === "proposed";
}
