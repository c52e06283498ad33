import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { Parser } from "htmlparser2";
import { HOSTILE_TEXTS } from "../../../test/support/hostile_texts.ts";
import type { Indexed } from "../export.ts";
import type { ConversationMeta } from "../model.ts";
import { exportHtml } from "./page.ts";

const META: ConversationMeta = { id: "c1", source: "claude-code", title: "A ledger", project: "/p" };

const ALLOWED: Record<string, readonly string[]> = {
  html: ["lang"],
  meta: ["charset", "http-equiv", "content", "name"],
  div: ["class"],
  p: ["class"],
  nav: ["aria-labelledby"],
  h2: ["id", "class"],
  a: ["href", "rel"],
  article: ["id", "class"],
  span: ["class"],
  pre: ["class"],
  details: ["class"],
  ol: ["start"],
};
const BARE = new Set(
  "head title style body h1 main footer li b summary code h3 h4 h5 h6 em strong s blockquote ul table thead tbody tr th td hr br".split(
    " ",
  ),
);

interface Parsed {
  elements: { name: string; attributes: Record<string, string> }[];
  text: string;
}

/** Fails if an element or an attribute is not one of ours. */
function parsed(html: string): Parsed {
  const elements: Parsed["elements"] = [];
  let text = "";
  const parser = new Parser({
    onopentag: (name, attributes) => {
      assert.ok(name in ALLOWED || BARE.has(name), `<${name}> arose`);
      for (const key of Object.keys(attributes)) {
        assert.ok(ALLOWED[name]?.includes(key), `<${name} ${key}> arose`);
      }
      elements.push({ name, attributes });
    },
    ontext: (piece) => {
      text += piece;
    },
    oncomment: () => assert.fail("a comment arose"),
  });
  parser.end(html);
  return { elements, text };
}

function everywhere(text: string): string {
  const messages: Indexed[] = [
    {
      index: 0,
      message: {
        role: "user",
        time: text,
        model: text,
        parts: [
          { type: "text", text },
          { type: "text", text: `> ${text}\n\n- [${text}](${text} "${text}")\n\n\`\`\`${text}\n${text}\n\`\`\`\n` },
          { type: "thinking", text },
        ],
      },
    },
    {
      index: 1,
      message: {
        role: "assistant",
        parts: [
          { type: "tool_call", id: text, name: text, input: { [text]: [text, { [text]: text }], command: text } },
          { type: "tool_result", id: text, name: text, output: text, is_error: true, agent: text },
        ],
      },
    },
    { index: 2, message: { role: "user", parts: [{ type: "text", text: `again ${text}` }] } },
  ];
  const meta = { id: text, source: text, title: text, project: text, branch: text, created: text, updated: text };
  return exportHtml(meta, messages);
}

test("no element, attribute or address of a hostile text arises, wherever it stands", () => {
  assert.equal(HOSTILE_TEXTS.length, 50);
  for (const text of HOSTILE_TEXTS) {
    const { elements } = parsed(everywhere(text));
    for (const { name, attributes } of elements) {
      if (name === "a") assert.match(attributes.href ?? "", /^(?:#m\d+|https?:\/\/|mailto:)/);
      if (name === "p" || name === "div") assert.match(attributes.class ?? "", /^(?:|facts|said|cut|page)$/);
    }
    for (const name of ["style", "title", "main", "h1"]) {
      assert.equal(elements.filter((element) => element.name === name).length, 1, name);
    }
    assert.equal(elements.filter(({ name }) => name === "article").length, 3);
  }
});

test("the policy allows the style of the page and nothing else", () => {
  const html = exportHtml(META, []);
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? "";
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = parsed(html).elements.find(({ attributes }) => attributes["http-equiv"])?.attributes.content;
  assert.equal(policy, `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
  assert.doesNotMatch(style, /url\(|@import|@font-face/);
});

test("Markdown, links, folds and anchors", () => {
  const html = exportHtml(META, [
    { index: 3, message: { role: "user", parts: [{ type: "text", text: "Fix **this** and see https://a.example" }] } },
    {
      index: 4,
      message: {
        role: "assistant",
        parts: [
          { type: "text", text: "# Plan\n\n1. [docs](https://a.example/x)\n2. ![shot](https://a.example/s.png)" },
          { type: "tool_call", name: "Bash", input: { command: "npm test" } },
          { type: "tool_result", name: "Bash", output: "1 failed", exit_code: 1 },
        ],
      },
    },
    { index: 5, message: { role: "user", parts: [{ type: "text", text: "Thanks" }] } },
  ]);
  const { elements } = parsed(html);
  assert.match(html, /<strong>this<\/strong>/);
  assert.match(html, /<h3>Plan<\/h3>/);
  assert.match(html, /<a href="https:\/\/a\.example\/x" rel="noreferrer noopener">docs<\/a>/);
  assert.match(html, /\[image: shot\]/);
  assert.match(html, /<details class="failed"><summary><b>failed<\/b> \[Bash, exit 1, 1 line\]<\/summary>/);
  assert.match(html, /<a href="#m5"><span>5<\/span><span>Thanks<\/span><\/a>/);
  assert.deepEqual(
    elements.filter(({ name }) => name === "article").map(({ attributes }) => attributes.id),
    ["m3", "m4", "m5"],
  );
});

test("the file of a long conversation is bounded and says how much it leaves out", () => {
  const output = "x".repeat(50_000);
  const messages = Array.from({ length: 3000 }, (_, index): Indexed => {
    return { index, message: { role: "tool", parts: [{ type: "tool_result", name: "Bash", output }] } };
  });
  const html = exportHtml(META, messages);
  assert.ok(html.length < 8_100_000, `${html.length} characters`);
  const { elements, text } = parsed(html);
  const shown = elements.filter(({ name }) => name === "article").length;
  assert.ok(shown > 500);
  assert.ok(
    text.includes(`${3000 - shown} messages after message ${shown - 1} did not fit`.replace(/\B(?=(\d{3})+ )/, ",")),
  );
  assert.match(text, /42,000 characters more in the conversation/);
});
