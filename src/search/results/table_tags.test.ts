import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutTableTags } from "./table_tags.ts";

test("tags of a table are removed, but not from code", () => {
  const row = '<tr><td align="left">--port</td>\n<td>Where it listens.</td></tr>';
  assert.equal(withoutTableTags(row).replace(/\s+/g, " ").trim(), "--port Where it listens.");
  for (const code of ["```html\n<tr><td>a</td></tr>\n```", "A `<td>` is a cell of a `<tr>`.", "~~~\n<td>open"])
    assert.equal(withoutTableTags(code), code);
  assert.equal(withoutTableTags("a < b, <div>c</div>"), "a < b, <div>c</div>");
});
