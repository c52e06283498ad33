/** `dex decisions extract`: a model reads the decisions out of a conversation. */
import * as z from "zod";
import { namesInProject } from "../../../decisions/project.ts";
import { modelDecisions, modelOwner } from "../../../decisions/sources/model.ts";
import { withHistoryWriter } from "../../../history/update.ts";
import { DexError } from "../../../kernel/errors.ts";
import { modelFrom } from "../../../llm/model.ts";
import { decisionsOf } from "../../../project/decisions.ts";
import { conversationLoader } from "../../../project/loading.ts";
import { withRepository } from "../../../project/repository.ts";
import { resolveConversation } from "../../../search/filters/resolve.ts";
import { defineOperation } from "../../operation.ts";
import { projectFolderField } from "../../shared/fields.ts";
import { decisionOutput, listedDecision } from "../fields.ts";

export const extractDecisions = defineOperation({
  name: "dex_decisions_extract",
  verb: "decisions extract",
  summary: "Extract the decisions of a conversation with the configured model, and verify its quotes",
  positionals: ["id"],
  input: z.strictObject({
    id: z.string().min(1).describe("The conversation's id or a unique prefix"),
    project: projectFolderField,
  }),
  output: z.object({
    decisions: z.array(decisionOutput),
    total: z.number(),
    /** Decisions dropped because their quote does not occur in the conversation. */
    dropped: z.number(),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "conversations",
  run: (dex, input, context) =>
    withRepository(dex, input.project, context, async (open) => {
      const model = modelFrom(dex.settings, { vars: dex.vars });
      if (!model) {
        throw new DexError("no_model", "No language model is configured.", {
          hint: "Set llm.provider and llm.model in config.yaml; `dex decisions` works without one.",
        });
      }
      const { no, source, id } = resolveConversation(dex, input.id);
      const row = open.links.conversations.find((each) => each.no === no);
      if (!row) {
        throw new DexError(
          "other_project",
          `The conversation ${source}:${id} does not belong to ${open.repository.root}.`,
          {
            hint: "Run the command in the folder of the conversation's project.",
          },
        );
      }
      const names = namesInProject({ repository: open.repository }, open.history, row.project);
      const found = await modelDecisions(row, conversationLoader(dex)(row), names, async (prompt, schema) => {
        const messages = [{ role: "user" as const, content: prompt }];
        return (await model.chat({ messages, schema: { name: "decisions", schema } })).text;
      });
      await withHistoryWriter(open.repository, dex.paths.history, (writer) => {
        writer.removeDecisions(modelOwner(row));
        writer.addDecisions(found.decisions);
        writer.commit();
      });
      const ids = new Set(found.decisions.map((each) => each.id));
      const listed = (await decisionsOf(dex, open, context)).filter((each) => ids.has(each.id)).map(listedDecision);
      return { decisions: listed, total: listed.length, dropped: found.dropped };
    }),
  isEmpty: (output) => output.decisions.length === 0,
});
