import assert from "node:assert/strict";
import { test } from "node:test";
import { VerdictFilter } from "./stream.ts";

test("the model's confidence line is hidden however the stream is cut; all other text is shown", () => {
  const text = "Confident people:\n\nuse `stream()`.\n**Confidence**: high";
  for (const size of [1, 3, 7, 100]) {
    const filter = new VerdictFilter();
    let shown = "";
    for (let i = 0; i < text.length; i += size) shown += filter.shown(text.slice(i, i + size));
    assert.equal(shown, "Confident people:\n\nuse `stream()`.\n");
  }
});
