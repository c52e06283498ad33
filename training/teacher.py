"""all-MiniLM-L6-v2 as the teacher: sentence vectors of many texts, and of every piece of a vocabulary."""
import json
import os

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel


class Teacher:
    def __init__(self, folder, device="cuda"):
        config = BertConfig(**json.load(open(os.path.join(folder, "config.json"))))
        self.network = BertModel(config, add_pooling_layer=False)
        weights = load_file(os.path.join(folder, "model.fp16.safetensors"))
        weights = {name.removeprefix("bert."): value.float() for name, value in weights.items()}
        missing, _ = self.network.load_state_dict(weights, strict=False)
        missing = [name for name in missing if "position_ids" not in name]
        if missing:
            raise RuntimeError(f"the teacher's file lacks {missing[:5]}")
        self.network.to(device).half().eval()
        self.device = device
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
        # Its own settings pad and cut at 128.
        self.tokenizer.no_padding()

    @property
    def vocabulary(self):
        return self.tokenizer.get_vocab()

    def embed(self, texts, most_pieces, batch_pieces=1 << 18):
        """Unit vectors in fp16 on the device, in the order of the texts. Alike lengths run together."""
        self.tokenizer.enable_truncation(most_pieces)
        out = torch.empty((len(texts), self.network.config.hidden_size), dtype=torch.half, device=self.device)
        for start in range(0, len(texts), 200_000):
            encoded = [item.ids for item in self.tokenizer.encode_batch_fast(texts[start : start + 200_000])]
            order = sorted(range(len(encoded)), key=lambda number: len(encoded[number]))
            at = 0
            while at < len(order):
                size = 1
                while (
                    at + size < len(order)
                    and size < 8192
                    and (size + 1) * len(encoded[order[at + size]]) <= batch_pieces
                ):
                    size += 1
                rows = order[at : at + size]
                at += size
                width = max(len(encoded[row]) for row in rows)
                ids = torch.zeros((len(rows), width), dtype=torch.long)
                for line, row in enumerate(rows):
                    ids[line, : len(encoded[row])] = torch.tensor(encoded[row])
                lengths = torch.tensor([len(encoded[row]) for row in rows], device=self.device)
                ids = ids.to(self.device)
                mask = torch.arange(width, device=self.device)[None] < lengths[:, None]
                with torch.no_grad():
                    hidden = self.network(input_ids=ids, attention_mask=mask.long()).last_hidden_state
                mean = (hidden.float() * mask[..., None]).sum(1) / lengths[:, None]
                out[torch.tensor(rows, device=self.device) + start] = torch.nn.functional.normalize(mean, dim=1).half()
        return out
