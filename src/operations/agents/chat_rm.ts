import * as z from "zod";
import { findChat, removeChat } from "../../chat/sessions.ts";
import { defineOperation } from "../operation.ts";

export const chatRm = defineOperation({
  name: "dex_chat_rm",
  verb: "chat rm",
  summary: "Remove chats, with all that OpenCode kept of them",
  positionals: ["ids"],
  input: z.strictObject({
    ids: z.array(z.string()).min(1, "needs at least one id").max(1000).describe("Chat ids or unique beginnings"),
  }),
  output: z.object({ removed: z.array(z.string()) }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: (dex, input) => {
    const { chats } = dex.paths;
    // All are found before the first is removed: a mistyped one removes none.
    const ids = [...new Set(input.ids.map((typed) => findChat(chats, typed)))];
    for (const id of ids) removeChat(chats, id);
    return { removed: ids };
  },
});
