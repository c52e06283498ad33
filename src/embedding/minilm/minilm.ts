/**
 * all-MiniLM-L6-v2 on this machine. The user installs two packages, the runtime and the weights; dex builds the network
 * in memory from the weights, and downloads or writes nothing.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { asNumber, asObject, parseJson } from "../../kernel/json.ts";
import { normalised } from "../../vectors/quantise.ts";
import { MINILM_NAME, type Provider } from "../provider.ts";
import { MINILM_DIMS, miniLmNetwork, OUTPUT } from "./network.ts";
import { findPackages, RUNTIME, WEIGHTS } from "./packages.ts";
import { readHalfTensors } from "./safetensors.ts";
import { pieceIds, type WordPiece, wordPiece } from "./wordpiece.ts";

/** The model's limit; longer texts are truncated. */
const MAX_PIECES = 256;
/** Far more than the limit on pieces can use. */
const MAX_TEXT_CHARS = 20_000;
/** The start and the end, which an empty text has, too. */
const MARKERS = 2;
const BATCH = 16;
/**
 * One thread, because it runs during the user's work, and on a busy machine two threads wait for each other longer than
 * they work.
 */
const THREADS = 1;

export async function openMiniLm(home: string): Promise<Provider> {
  const { runtime, weights } = findPackages(home);
  const tokenizer = readTokenizer(join(weights, "model/tokenizer.json"));
  const network = miniLmNetwork(readHalfTensors(join(weights, "model/model.fp16.safetensors")));
  const { Tensor, InferenceSession } = loadRuntime(runtime);
  const session = await InferenceSession.create(network, {
    intraOpNumThreads: THREADS,
  });

  // One text at a time: rounding depends on all numbers of a call, so a text would get another vector in another batch.
  const embedOne = async (pieces: readonly number[]): Promise<Float32Array | undefined> => {
    const row = (value: (id: number, i: number) => number) =>
      BigInt64Array.from(pieces, (id, i) => BigInt(value(id, i)));
    const results = await session.run({
      ids: new Tensor(
        "int64",
        row((id) => id),
        [1, pieces.length],
      ),
      mask: new Tensor(
        "int64",
        row(() => 1),
        [1, pieces.length],
      ),
      positions: new Tensor(
        "int64",
        row((_, i) => i),
        [pieces.length],
      ),
    });
    const sums = results[OUTPUT]?.data;
    if (!(sums instanceof Float32Array) || sums.length !== MINILM_DIMS) {
      throw new DexError("bad_model", `${RUNTIME} gave no vectors for MiniLM.`, { hint: "Install it again." });
    }
    return normalised(sums.slice());
  };

  return {
    name: MINILM_NAME,
    dims: MINILM_DIMS,
    batch: BATCH,
    embed: async (texts, signal) => {
      const vectors: (Float32Array | undefined)[] = [];
      for (const text of texts) {
        signal?.throwIfAborted();
        const pieces = pieceIds(tokenizer, text.slice(0, MAX_TEXT_CHARS), MAX_PIECES);
        vectors.push(pieces.length > MARKERS ? await embedOne(pieces) : undefined);
      }
      return vectors;
    },
    close: () => session.release(),
  };
}

function readTokenizer(path: string): WordPiece {
  const { vocab } = asObject(asObject(parseJson(readFileSync(path, "utf8"))).model);
  const ids = Object.entries(asObject(vocab)).map(([piece, id]) => [piece, asNumber(id) ?? 0] as const);
  const tokenizer = wordPiece(new Map(ids));
  if (tokenizer) return tokenizer;
  throw new DexError("bad_model", `${path} is not a tokenizer of BERT.`, { hint: `Install ${WEIGHTS} again.` });
}

/** The used part of onnxruntime-node. */
interface Runtime {
  Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => object;
  InferenceSession: { create(model: Uint8Array, options: { intraOpNumThreads: number }): Promise<Session> };
}

interface Session {
  run(feeds: Record<string, object>): Promise<Record<string, { data: unknown } | undefined>>;
  release(): Promise<void>;
}

function loadRuntime(folder: string): Runtime {
  try {
    const runtime: Runtime = createRequire(join(folder, "package.json"))(folder);
    return runtime;
  } catch (error) {
    throw new DexError("no_provider", `${RUNTIME} in ${folder} does not load: ${errorMessage(error)}`, {
      hint: "Install it again with the Node that runs dex.",
      cause: error,
    });
  }
}
