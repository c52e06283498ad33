/** `dex decisions accept`, `reject` and `supersede`: a person's verdict on a decision. */
import * as z from "zod";
import type { Dex } from "../../../dex.ts";
import { projectKey } from "../../../history/repository.ts";
import { DexError } from "../../../kernel/errors.ts";
import { decisionsOf, resolveDecision } from "../../../project/decisions.ts";
import { withRepository } from "../../../project/repository.ts";
import type { Verdict } from "../../../store/state/recorded.ts";
import { defineOperation, type OperationContext } from "../../operation.ts";
import { projectFolderField } from "../../shared/fields.ts";
import { decisionOutput, listedDecision } from "../fields.ts";

const fields = {
  id: z.string().min(1).max(100).describe("The decision's id or a unique prefix"),
  project: projectFolderField,
};
const output = z.object({ decision: decisionOutput });
const common = { output, readOnly: false, idempotent: true, syncBefore: "conversations", web: true } as const;

export const acceptDecision = defineOperation({
  ...common,
  name: "dex_decisions_accept",
  verb: "decisions accept",
  summary: "Confirm a decision",
  positionals: ["id"],
  input: z.strictObject(fields),
  run: (dex, input, context) => judge(dex, input, "accepted", context),
});

export const rejectDecision = defineOperation({
  ...common,
  name: "dex_decisions_reject",
  verb: "decisions reject",
  summary: "Reject a decision that was never made or no longer holds; it is not shown again",
  positionals: ["id"],
  input: z.strictObject(fields),
  run: (dex, input, context) => judge(dex, input, "rejected", context),
});

export const supersedeDecision = defineOperation({
  ...common,
  name: "dex_decisions_supersede",
  verb: "decisions supersede",
  summary: "Mark a decision as superseded by another",
  positionals: ["id", "by"],
  input: z.strictObject({
    ...fields,
    by: z.string().max(100).optional().describe("The decision that supersedes it"),
  }),
  run: (dex, input, context) => judge(dex, input, "superseded", context),
});

function judge(
  dex: Dex,
  input: { id: string; by?: string; project?: string },
  status: Verdict["status"],
  context: OperationContext,
): Promise<z.output<typeof output>> {
  return withRepository(dex, input.project, context, async (open) => {
    const before = await decisionsOf(dex, open, context);
    const { id } = resolveDecision(before, input.id);
    const by = input.by === undefined ? null : resolveDecision(before, input.by).id;
    if (by === id) {
      throw new DexError("bad_input", `The decision ${id} cannot supersede itself.`, {
        hint: "Give the id of the decision that replaces it second; `dex decisions` lists them.",
      });
    }
    dex.withState((state) =>
      state.decisions.judge({ id, repository: projectKey(open.repository), status, by, time: dex.now() }),
    );
    return { decision: listedDecision(resolveDecision(await decisionsOf(dex, open, context), id)) };
  });
}
