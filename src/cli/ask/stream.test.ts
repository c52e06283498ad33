import assert from "node:assert/strict";
import { test } from "node:test";
import { VerdictFilter, WordWrap } from "./stream.ts";

test("the model's confidence line is hidden however the stream is cut; all other text is shown", () => {
  const text = "Confident people:\n\nuse `stream()`.\n**Confidence**: high";
  for (const size of [1, 3, 7, 100]) {
    const filter = new VerdictFilter();
    let shown = "";
    for (let i = 0; i < text.length; i += size) shown += filter.shown(text.slice(i, i + size));
    assert.equal(shown, "Confident people:\n\nuse `stream()`.\n");
  }
});

test("a streamed answer breaks between words, however the stream is cut, and code stays as it is", () => {
  const text =
    "dex retries a request three times.\n\n- because servers reject packs\n```sh\ndex docs add guide ./docs/guide --global\n```\n| a | table of several words |\nend";
  const expected =
    "dex retries a\nrequest three\ntimes.\n\n- because\nservers reject\npacks\n```sh\ndex docs add guide ./docs/guide --global\n```\n| a | table of several words |\nend";
  for (const size of [1, 3, 7, 1000]) {
    const wrap = new WordWrap(16);
    let shown = "";
    for (let i = 0; i < text.length; i += size) shown += wrap.shown(text.slice(i, i + size));
    assert.equal(shown + wrap.rest(), expected, `pieces of ${size}`);
  }
});
