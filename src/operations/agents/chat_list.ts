/** `dex chat list`: the chats of `dex chat`. */
import * as z from "zod";
import { chatIds, chatSchema, readChat } from "../../chat/sessions.ts";
import { defineOperation } from "../operation.ts";

export const chatList = defineOperation({
  name: "dex_chat_list",
  verb: "chat list",
  summary: "List the chats of `dex chat`, newest first",
  positionals: [],
  input: z.strictObject({
    limit: z.int("must be a whole number").min(1, "must be positive").max(1000).default(20).describe("Maximum results"),
  }),
  output: z.object({ chats: z.array(chatSchema), total: z.number() }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  run: (dex, { limit }) => {
    const ids = chatIds(dex.paths.chats);
    return { chats: ids.slice(0, limit).map((id) => readChat(dex.paths.chats, id)), total: ids.length };
  },
  isEmpty: ({ total }) => total === 0,
});
