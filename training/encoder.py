"""
Trains the sentence encoder (models/encoder.bin): some layers of the teacher, all-MiniLM-L6-v2, over the rows of the
static embedding, trained to give the teacher's vectors. In the last part of the training, weights and activations are
rounded just as src/embedding/encoder rounds them. README.md lists the arguments.
"""
import argparse
import json
import lzma
import math
import multiprocessing
import os
import struct
import time

import numpy
import torch
import torch.nn.functional as F
from teacher import Teacher
from tokens import Tokenizer
from torch import nn

DIMS, HEADS, HIDDEN, POSITIONS = 384, 12, 1536, 128
BATCH_PIECES = 1 << 16
CHUNK_TEXTS = 1 << 17
MAX_BATCH_TEXTS = 4096
HELD_OUT = 4000
SIMILARITY_WEIGHT = 5.0
# The share of the training after which numbers are rounded.
ROUNDED_FROM = 0.7
tokenizer = None


def log(*parts):
    print(f"{time.strftime('%H:%M:%S')}", *parts, flush=True)


def read_table(path):
    """The pieces and rows of the static model; the layout is in src/embedding/model_file.ts."""
    data = open(path, "rb").read()
    head = struct.unpack_from("<13I", data)
    dims, count = head[2], head[3]
    ends = numpy.frombuffer(data, "<u4", count + 1, head[8])
    letters = data[head[9] : head[10]]
    pieces = [letters[ends[i] : ends[i + 1]].decode() for i in range(count)]
    scales = numpy.frombuffer(data, "<f4", count, head[10])
    rows = numpy.frombuffer(data, "i1", count * dims, head[11]).reshape(count, dims)
    return data[head[5] : head[5] + head[6]].decode(), pieces, rows * scales[:, None]


def encode(texts):
    return [numpy.array(tokenizer.ids(text, POSITIONS), dtype=numpy.int32) for text in texts]


def encode_all(texts):
    chunks = [texts[at : at + 10_000] for at in range(0, len(texts), 10_000)]
    with multiprocessing.get_context("fork").Pool() as pool:
        return [ids for chunk in pool.map(encode, chunks) for ids in chunk]


class Rounded(torch.autograd.Function):
    """Rounds to whole multiples of the scale; the gradient passes as if nothing were rounded."""

    @staticmethod
    def forward(_, values, scale):
        return torch.round(values / scale) * scale

    @staticmethod
    def backward(_, gradient):
        return gradient, None


def rounded(values, most):
    scale = values.detach().abs().amax(-1, keepdim=True).clamp_min(1e-12) / most
    return Rounded.apply(values, scale)


class Matrix(nn.Module):
    is_rounded = False

    def __init__(self, weight, bias):
        super().__init__()
        self.weight = nn.Parameter(weight.clone())
        self.bias = nn.Parameter(bias.clone())

    def forward(self, x, is_positive=False):
        if not Matrix.is_rounded:
            return F.linear(x, self.weight, self.bias)
        return F.linear(rounded(x, 127 if is_positive else 63), rounded(self.weight, 127), self.bias)


def norm_of(weights, name):
    norm = nn.LayerNorm(DIMS)
    norm.weight.data.copy_(weights[f"{name}.weight"])
    norm.bias.data.copy_(weights[f"{name}.bias"])
    return norm


def matrix_of(weights, *names):
    return Matrix(*(torch.cat([weights[f"{name}.{part}"] for name in names]) for part in ("weight", "bias")))


class Layer(nn.Module):
    def __init__(self, weights, name):
        super().__init__()
        own = f"{name}.attention.self"
        self.qkv = matrix_of(weights, f"{own}.query", f"{own}.key", f"{own}.value")
        self.out = matrix_of(weights, f"{name}.attention.output.dense")
        self.norm1 = norm_of(weights, f"{name}.attention.output.LayerNorm")
        self.up = matrix_of(weights, f"{name}.intermediate.dense")
        self.down = matrix_of(weights, f"{name}.output.dense")
        self.norm2 = norm_of(weights, f"{name}.output.LayerNorm")

    def forward(self, x, mask):
        count, width, _ = x.shape
        q, k, v = self.qkv(x).view(count, width, 3, HEADS, DIMS // HEADS).permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(q, k, v, attn_mask=mask[:, None, None, :])
        x = self.norm1(x + self.out(attended.transpose(1, 2).reshape(count, width, DIMS)))
        return self.norm2(x + self.down(F.relu(self.up(x)), is_positive=True))


class Encoder(nn.Module):
    def __init__(self, table, pieces, teacher, layers):
        super().__init__()
        weights = {name: value.float().cpu() for name, value in teacher.network.state_dict().items()}
        self.register_buffer("table", table)
        self.scale = float(1 / table.std())
        self.input = self.fitted_input(table * self.scale, pieces, teacher.vocabulary, weights)
        # The teacher's text starts with a marker, which is left out here.
        positions = weights["embeddings.position_embeddings.weight"][1 : POSITIONS + 1]
        self.positions = nn.Parameter(positions + weights["embeddings.token_type_embeddings.weight"][0])
        self.norm = norm_of(weights, "embeddings.LayerNorm")
        self.layers = nn.ModuleList(Layer(weights, f"encoder.layer.{layer}") for layer in layers)
        self.projection = Matrix(torch.eye(DIMS), torch.zeros(DIMS))

    @staticmethod
    def fitted_input(rows, pieces, vocabulary, weights):
        """From a row of the table to the teacher's embedding of the same piece, by least squares."""
        known = [number for number, piece in enumerate(pieces) if piece in vocabulary]
        wanted = weights["embeddings.word_embeddings.weight"][[vocabulary[pieces[number]] for number in known]]
        given = torch.cat([rows[known], torch.ones(len(known), 1)], dim=1)
        solution = torch.linalg.lstsq(given, wanted).solution
        return Matrix(solution[:-1].T, solution[-1])

    def forward(self, ids, lengths):
        width = ids.shape[1]
        mask = torch.arange(width, device=ids.device)[None] < lengths[:, None]
        positions = rounded(self.positions, 127) if Matrix.is_rounded else self.positions
        x = self.norm(self.input(self.table[ids] * self.scale) + positions[:width])
        for layer in self.layers:
            x = layer(x, mask)
        pooled = (x * mask[..., None]).sum(1) / lengths[:, None]
        return F.normalize(self.projection(pooled), dim=1)


class Texts:
    """The pieces of all texts on the device, padded with zeros."""

    def __init__(self, pieces, device):
        self.lengths = numpy.array([len(ids) for ids in pieces])
        self.device = device
        padded = numpy.zeros((len(pieces), POSITIONS), dtype=numpy.int32)
        for row, ids in enumerate(pieces):
            padded[row, : len(ids)] = ids
        self.padded = torch.from_numpy(padded).to(device)
        self.counts = torch.from_numpy(self.lengths).to(device)

    def batch(self, rows):
        chosen = torch.tensor(rows, device=self.device)
        return self.padded[chosen, : int(self.lengths[rows].max())].long(), self.counts[chosen]


def batches(texts, rows):
    """Texts of similar length run together."""
    rows = rows[numpy.argsort(texts.lengths[rows], kind="stable")]
    out, at = [], 0
    while at < len(rows):
        # The longest text of a batch is its last one, so a size by the first one may be too large by a little.
        size = min(MAX_BATCH_TEXTS, max(1, BATCH_PIECES // int(texts.lengths[rows[at]])))
        out.append(rows[at : at + size])
        at += size
    return out


def train(model, texts, targets, rows, held, minutes, rate):
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.01)
    random = numpy.random.default_rng(1)
    start, step, shown, done = time.time(), 0, 0.0, False
    while not done:
        order = random.permutation(rows)
        for at in range(0, len(order), CHUNK_TEXTS):
            chunk = batches(texts, order[at : at + CHUNK_TEXTS])
            for number in random.permutation(len(chunk)):
                passed = (time.time() - start) / (60 * minutes)
                if passed >= 1:
                    done = True
                    break
                step += 1
                factor = min(1, step / 500) * 0.5 * (1 + math.cos(math.pi * passed))
                for group in optimizer.param_groups:
                    group["lr"] = rate * factor
                target = targets[torch.tensor(chunk[number], device=targets.device)].float()
                Matrix.is_rounded = passed >= ROUNDED_FROM
                with torch.autocast("cuda", torch.bfloat16, enabled=not Matrix.is_rounded):
                    vector = model(*texts.batch(chunk[number])).float()
                part = slice(0, 2048)
                similar = F.mse_loss(vector[part] @ vector[part].T, target[part] @ target[part].T)
                loss = 1 - (vector * target).sum(1).mean() + SIMILARITY_WEIGHT * similar
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                if time.time() - shown > 30:
                    shown = time.time()
                    log(f"step {step} loss {loss.item():.4f} held-out cosine {cosine(model, texts, targets, held):.4f}")
            if done:
                break
    log(f"{step} steps; held-out cosine {cosine(model, texts, targets, held):.4f}")


@torch.no_grad()
def embed(model, texts, rows):
    out = torch.zeros((len(texts.lengths), DIMS))
    for batch in batches(texts, rows[texts.lengths[rows] > 0]):
        out[batch] = model(*texts.batch(batch)).cpu()
    return out


def cosine(model, texts, targets, held):
    vectors = embed(model, texts, held)
    return (vectors[held] * targets[held].float().cpu()).sum(1).mean().item()


def write(path, model, table_name):
    """The layout is in src/embedding/encoder/encoder_file.ts."""
    parts = []

    def vector(values):
        parts.append(values.detach().cpu().numpy().astype("<f4").tobytes())

    def matrix(values):
        values = values.detach().cpu()
        scales = values.abs().amax(1).clamp_min(1e-12) / 127
        vector(scales)
        parts.append(torch.round(values / scales[:, None]).to(torch.int8).numpy().tobytes())

    def norm(layer):
        vector(layer.weight)
        vector(layer.bias)

    def product(layer):
        matrix(layer.weight)
        vector(layer.bias)

    product(model.input)
    matrix(model.positions)
    norm(model.norm)
    for layer in model.layers:
        product(layer.qkv)
        product(layer.out)
        norm(layer.norm1)
        product(layer.up)
        product(layer.down)
        norm(layer.norm2)
    product(model.projection)
    sizes = {"dims": DIMS, "heads": HEADS, "hidden": HIDDEN, "layers": len(model.layers), "positions": POSITIONS}
    sizes["table_dims"] = model.table.shape[1]
    head = json.dumps({"name": "dex-encoder-1", "table": table_name, **sizes, "scale": model.scale}).encode()
    head += b" " * (-(12 + len(head)) % 8)
    with open(path, "wb") as file:
        file.write(b"DEXENC1\n" + struct.pack("<I", len(head)) + head + b"".join(parts))


def main():
    global tokenizer
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", required=True)
    parser.add_argument("--static", required=True)
    parser.add_argument("--teacher", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--layers", default="0,2,5", help="layers of the teacher, from 0")
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--probe", help="an .xz file with a JSON list of texts, whose vectors are written beside the model")
    options = parser.parse_args()
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    device = "cuda"
    os.makedirs(options.out, exist_ok=True)
    name, vocabulary, rows = read_table(options.static)
    tokenizer = Tokenizer(vocabulary)
    strings = json.load(lzma.open(options.texts, "rt"))
    log(len(strings), "texts")
    texts = Texts(encode_all(strings), device)
    known = numpy.flatnonzero(texts.lengths > 1)
    teacher = Teacher(options.teacher)
    targets = teacher.embed(strings, POSITIONS)
    known = numpy.random.default_rng(0).permutation(known)
    held, fitted = known[:HELD_OUT], known[HELD_OUT:]
    layers = [int(number) for number in options.layers.split(",")]
    model = Encoder(torch.tensor(rows, dtype=torch.float32), vocabulary, teacher, layers).to(device)
    train(model, texts, targets, fitted, held, options.minutes, options.rate)
    model.eval()
    write(os.path.join(options.out, "encoder.bin"), model, name)
    if options.probe:
        probes = Texts(encode_all(json.load(lzma.open(options.probe, "rt"))), device)
        vectors = embed(model, probes, numpy.arange(len(probes.lengths)))
        vectors.half().numpy().tofile(os.path.join(options.out, "probe.f16"))


if __name__ == "__main__":
    main()
