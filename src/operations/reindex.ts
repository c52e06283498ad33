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
  output: z.object({
    conversations: z.number(),
    /** Documents of all collections, from what is kept of them and from the user's own folders. */
    documents: z.number(),
    documents_failed: z.array(z.object({ source: z.string(), error: z.string() })),
    seconds: z.number(),
  }),
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
    const { documentsBusy, rebuildDocuments } = await import("../collections/service.ts");
    const rebuilt = await rebuildDocuments(dex, 30_000, context.progress);
    if (!rebuilt) throw documentsBusy();
    dex.reopen();
    const { documents, failed } = rebuilt;
    context.trace?.({ inputs: { conversations, documents } });
    return { conversations, documents, documents_failed: failed, seconds: (dex.now() - started) / 1000 };
  },
});
