/** `dex reindex`: rebuilds the index, or fills in missing vectors. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { requireModel } from "../../embedding/locate.ts";
import { MINILM_NAME, openProvider, type Provider, slowModelName } from "../../embedding/provider.ts";
import { DexError } from "../../kernel/errors.ts";
import { plural } from "../../kernel/text.ts";
import { fillVectors, providerTexts, staticTexts, type TextEmbedder } from "../../sync/embed.ts";
import { vectorsLock } from "../../sync/embedding.ts";
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

/** The built-in model first: it takes seconds, and serves until the other one has finished. */
async function embed(
  dex: Dex,
  context: OperationContext,
): Promise<{ conversations: number; embedded: number; model: string }> {
  const { places, settings } = dex;
  const { model: file = settings.embedding.provider === "static" ? requireModel() : undefined } = places;
  const builtIn = file === undefined ? undefined : staticTexts(file);
  if (settings.embedding.provider === "none") {
    throw new DexError("vectors_off", "Vectors are turned off: embedding.provider is none.", {
      hint: "Set embedding.provider to static, minilm or endpoint.",
    });
  }
  const fill = (open: () => Promise<TextEmbedder> | TextEmbedder) =>
    fillVectors(
      {
        places,
        now: dex.now,
        lock: vectorsLock(dex.paths),
        kept: [MINILM_NAME, builtIn?.model.name, slowModelName(settings)].filter((name) => name !== undefined),
        signal: context.signal,
        progress: (done, total) => context.progress?.(done, total, plural(done, "message")),
      },
      () => {
        dex.reopen();
        return dex.store;
      },
      open,
    );
  let provider: Provider | undefined;
  try {
    let filled = builtIn && (await fill(() => builtIn));
    if (settings.embedding.provider !== "static" && !context.signal?.aborted) {
      filled = await fill(async () => {
        provider = await openProvider(settings, dex.paths.home, dex.vars);
        return providerTexts(provider as Provider);
      });
    }
    dex.reopen();
    const { embedded, model } = filled as NonNullable<typeof filled>;
    return { conversations: dex.store.totals().conversations, embedded, model: model.name };
  } finally {
    await provider?.close();
  }
}
