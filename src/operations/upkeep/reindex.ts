/** `dex reindex`: rebuilds the index, or fills in missing vectors. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { openProvider } from "../../embedding/provider.ts";
import { DexError } from "../../kernel/errors.ts";
import { plural } from "../../kernel/text.ts";
import { fillVectors, providerTexts, staticTexts } from "../../sync/embed.ts";
import { busyError, rebuildIndex } from "../../sync/writing.ts";
import { defineOperation, type OperationContext } from "../operation.ts";

export const reindex = defineOperation({
  name: "dex_reindex",
  verb: "reindex",
  summary: "Rebuild the index from the archive",
  positionals: [],
  input: z.strictObject({
    vectors: z
      .boolean()
      .default(false)
      .describe("Only compute missing vectors and those of another model; can be stopped and continued"),
  }),
  output: z.object({
    conversations: z.number(),
    /** Messages and titles that were embedded. */
    embedded: z.number().optional(),
    model: z.string().optional(),
    /** Documents of all collections, from the archive and from the user's own folders. */
    documents: z.number().optional(),
    documents_failed: z.array(z.object({ source: z.string(), error: z.string() })).optional(),
    seconds: z.number(),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  traced: true,
  run: async (dex, input, context) => {
    const started = dex.now();
    const done = input.vectors ? await embed(dex, context) : await rebuild(dex, context);
    context.trace?.({ inputs: { conversations: done.conversations } });
    return { ...done, seconds: (dex.now() - started) / 1000 };
  },
});

interface Rebuilt {
  conversations: number;
  documents: number;
  documents_failed: { source: string; error: string }[];
}

async function rebuild(dex: Dex, context: OperationContext): Promise<Rebuilt> {
  dex.reopen();
  const conversations = await rebuildIndex(dex.places, 30_000, (done, total) =>
    context.progress?.(done, total, plural(done, "conversation")),
  );
  if (conversations === undefined) throw busyError();
  const { documentsBusy, rebuildDocuments } = await import("../../collections/service.ts");
  const rebuilt = await rebuildDocuments(dex, 30_000, context.progress);
  if (!rebuilt) throw documentsBusy();
  dex.reopen();
  return { conversations, documents: rebuilt.documents, documents_failed: rebuilt.failed };
}

async function embed(
  dex: Dex,
  context: OperationContext,
): Promise<{ conversations: number; embedded: number; model: string }> {
  const { model: file } = dex.places;
  const provider = file === undefined ? await openProvider(dex.settings, dex.paths.home, dex.vars) : undefined;
  if (file === undefined && !provider) {
    throw new DexError("vectors_off", "Vectors are turned off: embedding.provider is none.", {
      hint: "Set embedding.provider to static, minilm or endpoint.",
    });
  }
  try {
    const texts = provider ? providerTexts(provider) : staticTexts(file as string);
    const embedded = await fillVectors(
      { places: dex.places, now: dex.now },
      () => {
        dex.reopen();
        return dex.store;
      },
      texts,
      (done, total) => context.progress?.(done, total, plural(done, "message")),
    );
    dex.reopen();
    return { conversations: dex.store.totals().conversations, embedded, model: texts.model.name };
  } finally {
    await provider?.close();
  }
}
