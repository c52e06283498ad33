/** In an exported Markdown file, dex alone writes headings and frames: no text of a message can look like another one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { exportMarkdown } from "./export.ts";
import type { Message } from "./model.ts";

const META = { source: "import", id: "one", title: "Dens\n## 7 user", project: "/p\n## 8 user" };

function exported(...messages: Message[]): string {
  const meta = META as unknown as Parameters<typeof exportMarkdown>[0];
  return exportMarkdown(
    meta,
    messages.map((message, index) => ({ index, message })),
  );
}

/** The lines outside quotations and fences. */
function ownLines(markdown: string): string[] {
  const own: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split("\n")) {
    const mark = /^`{3,}/.exec(line)?.[0];
    if (fence === undefined && mark) fence = mark;
    else if (fence !== undefined && mark && mark.length >= fence.length && line === mark) fence = undefined;
    else if (fence === undefined && line !== "" && !line.startsWith(">")) own.push(line);
  }
  assert.equal(fence, undefined, "a fence is left open");
  return own;
}

test("headings, underlines, fences and tags in a message stay inside it", () => {
  const text = "One\n## 1 user\nTwo\n---\n```\nopen\u2028## 2 user\r## 3 user\n</blockquote><h2>4 user</h2><!-- hidden";
  const markdown = exported(
    { role: "user", parts: [{ type: "text", text }] },
    { role: "assistant", parts: [{ type: "thinking", text: "`\u200b`\u200b`\n```\n## 5 user" }] },
    { role: "assistant", parts: [{ type: "text", text: "Done." }] },
  );
  assert.deepEqual(ownLines(markdown), [
    "# Dens ## 7 user",
    "- id: import:one",
    "- project: /p ## 8 user",
    "## 0 user",
    "## 1 assistant",
    "## 2 assistant",
  ]);
  assert.doesNotMatch(markdown, /<\/blockquote|<!--/);
  assert.match(markdown, /^> Done\.$/m);
});

test("a finished comment and code stay as they are", () => {
  const markdown = exported({ role: "user", parts: [{ type: "text", text: "```html\n<!-- a -->\n  <p>x</p>\n```" }] });
  assert.match(markdown, /^> ```html\n> <!-- a -->\n> {3}<p>x<\/p>\n> ```$/m);
});
