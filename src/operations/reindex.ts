import * as z from "zod";
import { plural } from "../kernel/text.ts";
import { busyError, rebuildIndex } from "../sync/sync.ts";
import { defineOperation } from "./operation.ts";

export const reindex = defineOperation({
  name: "dex_reindex",
  verb: "reindex",
  summary: "Build the index anew from the archive",
  positionals: [],
  input: z.strictObject({}),
  output: z.object({ conversations: z.number(), seconds: z.number() }),
  readOnly: false,
  idempotent: true,
  fresh: false,
  traced: true,
  run: async (dex, _input, context) => {
    const started = dex.now();
    dex.reopen();
    const conversations = await rebuildIndex(dex.places, 30_000, (done, total) =>
      context.progress?.(done, total, plural(done, "conversation")),
    );
    if (conversations === undefined) throw busyError();
    dex.reopen();
    context.trace?.({ inputs: { conversations } });
    return { conversations, seconds: (dex.now() - started) / 1000 };
  },
});
