"""
Trains the static embedding: a table with one vector a piece, so that the sum over a text's pieces points where the
teacher's vector of that text points. README.md beside this file says how it is run and what came out.
"""
import argparse
import collections
import json
import lzma
import math
import multiprocessing
import os
import pickle
import random
import time

import numpy as np
import torch
import torch.nn.functional as F

from teacher import Teacher
from tokens import Tokenizer, build_vocabulary, words

DEVICE = "cuda"
#: Stage 2 of each variant: epochs, pull, anchor; none is stage 1 alone.
VARIANTS = {
    "distilled": None,
    "contrast": (5, 20, 40),
    "contrast-long": (10, 20, 40),
    "contrast-middle": (5, 10, 20),
    "contrast-strong": (5, 4, 8),
}
LENGTHS = {"a": 48, "b": 112, "ab": 160}
HELD_OUT = 8000
BEGIN = time.time()


def log(*parts):
    print(f"[{time.time() - BEGIN:5.0f}]", *parts, flush=True)


# ---------------------------------------------------------------------------------------------------------- texts

def count_words(texts):
    counts = collections.Counter()
    for text in texts:
        counts.update(words(text))
    return counts


TOKENIZER = None


def encode(job):
    texts, most = job
    rows = np.zeros((len(texts), most), np.uint16)
    for number, text in enumerate(texts):
        ids = TOKENIZER.ids(text, most)
        rows[number, : len(ids)] = ids
    return rows


def in_parallel(function, jobs):
    with multiprocessing.Pool(16) as pool:
        return pool.map(function, jobs, 1)


def encode_all(texts, most):
    step = 8000
    parts = in_parallel(encode, [(texts[at : at + step], most) for at in range(0, len(texts), step)])
    return torch.tensor(np.concatenate(parts).astype(np.int32), device=DEVICE)


# ---------------------------------------------------------------------------------------------------------- model

class Table:
    """Vectors and weights of the pieces. The weight is kept apart while training, in the log domain."""

    def __init__(self, start, probabilities):
        weight = torch.tensor(1e-3 / (1e-3 + probabilities), dtype=torch.float32, device=DEVICE).clamp_min(0.02)
        self.vectors = torch.nn.Parameter(start.clone())
        self.weights = torch.nn.Parameter(torch.log(weight))

    def rows(self):
        return self.vectors * self.weights.exp()[:, None]

    def sums(self, ids, drop=0.0, rows=None):
        if drop:
            ids = ids.masked_fill(torch.rand(ids.shape, device=DEVICE) < drop, 0)
        return F.embedding_bag(ids, self.rows() if rows is None else rows, mode="sum", padding_idx=0)

    @torch.no_grad()
    def embed(self, ids):
        rows = self.rows()
        parts = [self.sums(ids[at : at + 8192], rows=rows) for at in range(0, ids.shape[0], 8192)]
        return F.normalize(torch.cat(parts), dim=1)

    @torch.no_grad()
    def quantised(self):
        rows = self.rows()
        rows[0] = 0
        scales = (rows.abs().amax(1) / 127).clamp_min(1e-8).half()
        q = torch.round(rows / scales.float()[:, None]).clamp(-127, 127).to(torch.int8)
        return q.cpu().numpy(), scales.cpu().numpy()


def schedule(optimizer, step, steps, rates):
    factor = min(1.0, step / (0.05 * steps + 1)) * (1 - step / steps)
    for group, rate in zip(optimizer.param_groups, rates):
        group["lr"] = rate * max(factor, 1e-3)


def batches(count, size, steps):
    order, at = torch.randperm(count, device=DEVICE), 0
    for _ in range(steps):
        if at + size > count:
            order, at = torch.randperm(count, device=DEVICE), 0
        yield order[at : at + size]
        at += size


def distil(table, data, epochs, rate, size=16384):
    """Stage 1: each text's sum is turned towards the teacher's vector of the text."""
    optimizer = torch.optim.Adam([table.vectors, table.weights], lr=rate, betas=(0.9, 0.98))
    kinds = list(data)
    count = data[kinds[0]][0].shape[0] - HELD_OUT
    steps = int(epochs * count / size)
    for step, rows in enumerate(batches(count, size, steps)):
        schedule(optimizer, step, steps, [rate])
        matrix = table.rows()
        loss = 0
        for kind in kinds:
            ids, targets = data[kind]
            out = table.sums(ids[rows + HELD_OUT], drop=0.1, rows=matrix)
            loss = loss + (1 - F.cosine_similarity(out, targets[rows + HELD_OUT].float(), dim=1)).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if step % (steps // 4) == 0:
            log("  distil", step, steps, f"{loss.item() / len(kinds):.4f}")


def contrast(table, data, epochs, rate, pull, anchor, size=16384):
    """Stage 2: pairs find each other among the batch, held near the teacher (pull) and near stage 1 (anchor)."""
    scale = torch.nn.Parameter(torch.tensor(math.log(20.0), device=DEVICE))
    start = table.vectors.detach().clone()
    optimizer = torch.optim.Adam(
        [{"params": [table.vectors, table.weights]}, {"params": [scale]}], lr=rate, betas=(0.9, 0.98)
    )
    (ids_a, to_a), (ids_b, to_b) = data["a"], data["b"]
    steps = int(epochs * (ids_a.shape[0] - HELD_OUT) / size)
    labels = torch.arange(size, device=DEVICE)
    spread = torch.randint(1, 1 << 40, (max(LENGTHS.values()),), device=DEVICE)
    for step, rows in enumerate(batches(ids_a.shape[0] - HELD_OUT, size, steps)):
        schedule(optimizer, step, steps, [rate, 3e-3])
        rows = rows + HELD_OUT
        matrix = table.rows()
        a, b = ids_a[rows], ids_b[rows]
        out_a, out_b = table.sums(a, 0.1, matrix), table.sums(b, 0.1, matrix)
        with torch.no_grad():
            mark_a = (a.long() * spread[: a.shape[1]]).sum(1)
            mark_b = (b.long() * spread[: b.shape[1]]).sum(1)
            same = (mark_a[:, None] == mark_a[None]) | (mark_b[:, None] == mark_b[None])
            same.fill_diagonal_(False)
        with torch.autocast("cuda", dtype=torch.bfloat16):
            likeness = F.normalize(out_a, dim=1) @ F.normalize(out_b, dim=1).T
        logits = (likeness.float() * scale.exp().clamp(5, 60)).masked_fill(same, -1e4)
        loss = (F.cross_entropy(logits, labels) + F.cross_entropy(logits.T, labels)) / 2
        far_a = (1 - F.cosine_similarity(out_a, to_a[rows].float(), dim=1)).mean()
        far_b = (1 - F.cosine_similarity(out_b, to_b[rows].float(), dim=1)).mean()
        loss = loss + pull * (far_a + far_b) / 2 + anchor * ((table.vectors - start) ** 2).sum(1).mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if step % (steps // 4) == 0:
            log("  contrast", step, steps, f"{loss.item():.4f}")


# ------------------------------------------------------------------------------------------------------- measuring

def ndcg(order, gold):
    gold = set(gold)
    got = sum(1 / math.log2(rank + 2) for rank, number in enumerate(order[:10]) if number in gold)
    best = sum(1 / math.log2(rank + 2) for rank in range(min(10, len(gold))))
    return got / best


class DevelopmentSets:
    """CoSQA dev, Cranfield and QMSum val with their BM25 scores: for choosing among variants, never reported."""

    def __init__(self, path, tokenizer):
        self.sets = pickle.loads(lzma.open(path).read())
        for groups in self.sets.values():
            for group in groups:
                windows, owners = [], []
                for number, text in enumerate(group["docs"]):
                    ids = tokenizer.ids(text, 480)
                    for at in range(0, max(1, len(ids)), 160):
                        windows.append(ids[at : at + 160])
                        owners.append(number)
                group["windows"] = padded(windows, 160)
                group["owners"] = torch.tensor(owners, device=DEVICE)
                group["asked"] = padded([tokenizer.ids(query[0], 64) for query in group["queries"]], 64)

    def gains(self, embed, shares=(0.2, 0.3, 0.4)):
        out = {}
        for name, groups in self.sets.items():
            rows = collections.defaultdict(list)
            for group in groups:
                likeness = (embed(group["asked"]) @ embed(group["windows"]).T).float()
                best = torch.full((likeness.shape[0], len(group["docs"])), -1.0, device=DEVICE)
                owners = group["owners"][None].expand(likeness.shape[0], -1)
                best = best.scatter_reduce(1, owners, likeness, "amax").cpu().numpy()
                for number, query in enumerate(group["queries"]):
                    vec, lex = best[number], group["bm"][number]
                    vec = (vec - vec.min()) / (vec.max() - vec.min() + 1e-9)
                    lex = lex / (lex.max() + 1e-9)
                    rows["bm25"].append(ndcg(np.argsort(-lex, kind="stable")[:10].tolist(), query[1]))
                    rows["alone"].append(ndcg(np.argsort(-vec, kind="stable")[:10].tolist(), query[1]))
                    for share in shares:
                        both = share * vec + (1 - share) * lex
                        rows[share].append(ndcg(np.argsort(-both, kind="stable")[:10].tolist(), query[1]))
            mean = {key: 100 * float(np.mean(values)) for key, values in rows.items()}
            out[name] = {str(key): round(mean[key] - (mean["bm25"] if key in shares else 0), 2) for key in mean}
        return out


def padded(lists, width):
    out = torch.zeros((len(lists), width), dtype=torch.int32)
    for number, ids in enumerate(lists):
        out[number, : len(ids)] = torch.tensor(ids[:width], dtype=torch.int32)
    return out.to(DEVICE)


def report(name, table, data, development):
    near = {}
    for kind, (ids, targets) in data.items():
        near[kind] = F.cosine_similarity(table.embed(ids[:HELD_OUT]), targets[:HELD_OUT].float(), dim=1).mean().item()
    gains = development.gains(table.embed)
    log(name, "held-out cosine", {kind: round(value, 4) for kind, value in near.items()})
    log(name, "dev", json.dumps(gains))
    return {"cosine": near, "dev": gains}


def save(folder, table, vocabulary):
    """As training/pack.ts reads it."""
    os.makedirs(folder, exist_ok=True)
    q, scales = table.quantised()
    q.tofile(os.path.join(folder, "q.i8"))
    scales.tofile(os.path.join(folder, "s.f16"))
    with open(os.path.join(folder, "tokenizer.json"), "w") as file:
        json.dump({"vocab": vocabulary}, file)


# ------------------------------------------------------------------------------------------------------------- main

def main():
    global TOKENIZER
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", required=True)
    parser.add_argument("--dev", required=True)
    parser.add_argument("--teacher", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--dims", type=int, default=256)
    parser.add_argument("--size", type=int, default=32768)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variants", default="contrast", help=", ".join(VARIANTS))
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.backends.cuda.matmul.allow_tf32 = True

    pairs = [json.loads(line) for line in lzma.open(options.pairs, "rt")]
    random.Random(3).shuffle(pairs)
    texts = {"a": [pair["a"] for pair in pairs], "b": [pair["b"] for pair in pairs]}
    texts["ab"] = [f"{pair['a']}. {pair['b']}" for pair in pairs]
    log("pairs", len(pairs))
    teacher = Teacher(options.teacher)
    counts = collections.Counter()
    for part in in_parallel(count_words, [texts["ab"][at::32] for at in range(32)]):
        counts.update(part)
    vocabulary = build_vocabulary(counts, teacher.vocabulary, options.size)
    TOKENIZER = Tokenizer(vocabulary)
    log("vocabulary", len(vocabulary), "words", len(counts))

    ids = {kind: encode_all(texts[kind], most) for kind, most in LENGTHS.items()}
    log("encoded", {kind: round((rows > 0).sum(1).float().mean().item(), 1) for kind, rows in ids.items()})
    full = {kind: teacher.embed(texts[kind], 64 if kind == "a" else 192) for kind in texts}
    log("teacher done")

    sample = torch.cat([full[kind][:200_000] for kind in full]).float()
    mean = sample.mean(0)
    _, values, basis = torch.linalg.svd((sample - mean)[::4], full_matrices=False)
    basis = basis[: options.dims].T
    log("variance kept", round(((values[: options.dims] ** 2).sum() / (values**2).sum()).item(), 4))
    data = {kind: (ids[kind], F.normalize((full[kind].float() - mean) @ basis, dim=1).half()) for kind in full}
    pieces = teacher.embed([piece.removeprefix("##") for piece in vocabulary], 16).float()
    start = F.normalize((pieces - mean) @ basis, dim=1)
    start[[number for number, piece in enumerate(vocabulary) if piece.startswith("##")]] *= 0.6
    start[0] = 0
    occurrences = torch.bincount(ids["ab"].flatten(), minlength=len(vocabulary)).double().cpu().numpy()
    occurrences[0] = 0
    probabilities = (occurrences + 1) / occurrences.sum()
    development = DevelopmentSets(options.dev, TOKENIZER)
    del teacher, full, sample

    first = Table(start, probabilities)
    distil(first, data, epochs=15, rate=1e-2)
    results = {}
    for name in options.variants.split(","):
        table = Table(start, probabilities)
        table.vectors.data.copy_(first.vectors.data)
        table.weights.data.copy_(first.weights.data)
        if VARIANTS[name]:
            epochs, pull, anchor = VARIANTS[name]
            contrast(table, data, epochs, 4e-3, pull, anchor)
        results[name] = report(name, table, data, development)
        save(os.path.join(options.out, name), table, vocabulary)
    json.dump(results, open(os.path.join(options.out, "results.json"), "w"), indent=1)
    log("done")


if __name__ == "__main__":
    main()
