/** `dex list`: conversations, latest first. */
import * as z from "zod";
import { originFilter, toFilter } from "../../search/filters/filter.ts";
import { shortAddresses } from "../../search/filters/resolve.ts";
import { withChanges } from "../../search/results/changed_since.ts";
import { listed } from "../../search/results/describe.ts";
import { defineOperation } from "../operation.ts";
import {
  abandonedField,
  choiceFields,
  filterFields,
  limitField,
  listedConversation,
  offsetField,
  subagentsField,
} from "../shared/fields.ts";

export const list = defineOperation({
  name: "dex_list",
  verb: "list",
  summary: "Browse conversations, latest first",
  positionals: [],
  input: z.strictObject({
    ...filterFields,
    subagents: subagentsField(false),
    abandoned: abandonedField,
    team: choiceFields.team,
    by: choiceFields.by,
    limit: limitField(20),
    offset: offsetField,
  }),
  output: z.object({
    /** `address` is a unique prefix of the id. */
    conversations: z.array(listedConversation.extend({ address: z.string() })),
    total: z.number(),
    /** Matching conversations of subagents that are not listed. */
    hidden_subagents: z.number().optional(),
    /** Matching branches that were abandoned and are not listed. */
    hidden_abandoned: z.number().optional(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  toolset: "conversations",
  unlisted: ["subagents", "abandoned", "team", "by"],
  shared: ({ team, by }) => team || by !== undefined,
  run: (dex, input) => {
    const filter = { ...toFilter(dex, input), ...originFilter(dex, input) };
    const rows = dex.store.list(filter, input.limit, input.offset);
    const address = shortAddresses(dex);
    const described = rows.map((row) => ({ ...listed(row), address: address(row) }));
    return {
      conversations: withChanges(dex, described, rows),
      total: dex.store.count(filter),
      hidden_subagents: input.subagents ? 0 : dex.store.count({ ...filter, subagents: true }),
      hidden_abandoned: input.abandoned ? 0 : dex.store.count({ ...filter, abandoned: true }),
    };
  },
  isEmpty: (output) => output.conversations.length === 0,
});
