import * as z from "zod";
import { withChanges } from "./changed_since.ts";
import { filterFields, limitField, listed, listedConversation, offsetField, toFilter } from "./fields.ts";
import { defineOperation } from "./operation.ts";

export const list = defineOperation({
  name: "dex_list",
  verb: "list",
  summary: "Browse conversations, the latest first",
  positionals: [],
  input: z.strictObject({ ...filterFields, limit: limitField(20), offset: offsetField }),
  output: z.object({ conversations: z.array(listedConversation), total: z.number() }),
  readOnly: true,
  idempotent: true,
  fresh: true,
  toolset: "conversations",
  run: (dex, input) => {
    const filter = toFilter(dex, input);
    const rows = dex.store.list(filter, input.limit, input.offset);
    return {
      conversations: withChanges(dex, rows.map(listed), rows),
      total: dex.store.count(filter),
    };
  },
  isEmpty: (output) => output.conversations.length === 0,
});
