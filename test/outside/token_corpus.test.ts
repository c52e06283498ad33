/** The token estimate against a real tokenizer, over long chats. Runs only if the shared data is next to the checkout. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { bufferLines } from "../../src/kernel/files/lines.ts";
import { asObject, parseJson } from "../../src/kernel/json.ts";
import { estimateTokens } from "../../src/tokens/estimate.ts";
import { sharedData } from "../support/program/dex.ts";
import { TokenSums } from "../support/tokens/sums.ts";

const corpus = sharedData("data", "quality", "beam", "corpus.jsonl.gz");
const literal = { disallowedSpecial: new Set<string>() };

/** Whole conversations, but not all of them: the tokenizer reads two megabytes a second. */
const BEAM_EVERY = 2;

test("long chats of the BEAM corpus, within 5% each and 2% over all", { skip: corpus.skip }, () => {
  const sums = new TokenSums();
  const seen = new Set<string>();
  for (const line of bufferLines(gunzipSync(readFileSync(corpus.path)))) {
    const { conversation, text } = asObject(parseJson(line.text));
    if (typeof conversation !== "string" || typeof text !== "string") continue;
    seen.add(conversation);
    if (seen.size % BEAM_EVERY !== 0) continue;
    sums.add(conversation, countTokens(text, literal), estimateTokens(text));
  }
  assert.ok(sums.size >= 10);
  assert.ok(sums.largestError() < 0.05, `largest ${sums.largestError()}`);
  assert.ok(sums.totalError() < 0.02, `total ${sums.totalError()}`);
});
