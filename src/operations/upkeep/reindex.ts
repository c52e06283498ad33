/** `dex reindex`: rebuilds the index, or fills in missing vectors. */
import { existsSync } from "node:fs";
import * as z from "zod";
import type { DexPaths } from "../../config/paths.ts";
import type { Dex } from "../../dex.ts";
import { fillVectors, providerTexts, type TextEmbedder, type VectorTarget } from "../../embedding/fill.ts";
import { requireModel } from "../../embedding/locate.ts";
import { MINILM_NAME, openProvider, type Provider, slowModelName } from "../../embedding/provider.ts";
import { DexError } from "../../kernel/errors.ts";
import { acquireLock } from "../../kernel/lock.ts";
import { plural } from "../../kernel/text.ts";
import { vectorsLock } from "../../sync/embedding/background.ts";
import { conversationVectors, staticTexts } from "../../sync/embedding/index_vectors.ts";
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
    /** Passages of documents that were embedded, if there are documents. */
    passages: z.number().optional(),
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

interface Embedded {
  conversations: number;
  embedded: number;
  passages?: number;
  model: string;
}

/** The built-in model first: it takes seconds, and serves until the other one has finished. */
async function embed(dex: Dex, context: OperationContext): Promise<Embedded> {
  const { places, settings, paths } = dex;
  const { model: file = settings.embedding.provider === "static" ? requireModel() : undefined } = places;
  if (settings.embedding.provider === "none") {
    throw new DexError("vectors_off", "Vectors are turned off: embedding.provider is none.", {
      hint: "Set embedding.provider to static, minilm or endpoint.",
    });
  }
  // Two processes would create the same vectors twice.
  const lock = acquireLock(vectorsLock(paths), 0);
  if (!lock) {
    throw new DexError("busy", "Another dex process is creating vectors.", {
      hint: "Wait for it to finish; it needs no further command.",
    });
  }
  const closing: (() => unknown)[] = [() => lock.release()];
  try {
    const models = file === undefined ? [] : [staticTexts(file)];
    const isFast = settings.embedding.provider === "static";
    if (!isFast) {
      const provider = (await openProvider(settings, paths.home, dex.vars)) as Provider;
      closing.unshift(() => provider.close());
      models.push(providerTexts(provider));
    }
    const fresh = (): Dex["store"] => {
      dex.reopen();
      return dex.store;
    };
    const conversations = conversationVectors(dex, fresh);
    const documents = existsSync(paths.documents) ? await openDocumentVectors(paths) : undefined;
    if (documents) closing.unshift(() => documents.close());
    let [embedded, passages] = [0, 0];
    const kept = [MINILM_NAME, slowModelName(settings), ...models.map(({ model }) => model.name)];
    for (const texts of models) {
      const fill = (target: VectorTarget, unit: string): Promise<number> =>
        fillVectors(
          {
            kept: kept.filter((name) => name !== undefined),
            signal: context.signal,
            progress: (done, total) => context.progress?.(done, total, plural(done, unit)),
          },
          target,
          texts,
        );
      embedded = await fill(conversations, "message");
      if (documents) passages = await fill(documents, "passage");
    }
    dex.reopen();
    return {
      conversations: dex.store.totals().conversations,
      embedded,
      ...(documents ? { passages } : {}),
      model: (models.at(-1) as TextEmbedder).model.name,
    };
  } finally {
    for (const close of closing) await close();
  }
}

async function openDocumentVectors(paths: DexPaths): Promise<VectorTarget & { close(): void }> {
  const { documentVectors } = await import("../../collections/embed.ts");
  return documentVectors(paths);
}
