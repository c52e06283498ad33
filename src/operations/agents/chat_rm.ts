/** `dex chat rm`: removes chats. */
import * as z from "zod";
import { findChat, removeChat } from "../../chat/sessions.ts";
import { defineOperation } from "../operation.ts";

export const chatRm = defineOperation({
  name: "dex_chat_rm",
  verb: "chat rm",
  summary: "Remove chats and their OpenCode data",
  positionals: ["ids"],
  input: z.strictObject({
    ids: z.array(z.string()).min(1, "needs at least one id").max(1000).describe("Chat ids or unique prefixes"),
  }),
  output: z.object({ removed: z.array(z.string()) }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: (dex, input) => {
    const { chats } = dex.paths;
    // Resolve all ids before removing any, so that a typo removes nothing.
    const ids = [...new Set(input.ids.map((typed) => findChat(chats, typed)))];
    for (const id of ids) removeChat(chats, id);
    return { removed: ids };
  },
});
