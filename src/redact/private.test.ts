/** Private text is stored nowhere: whole blocks, unclosed ones, and blocks over several parts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message, Part } from "../conversations/model.ts";
import { redactMessage } from "./message.ts";
import { withoutPrivate } from "./private.ts";
import { redactJson, redactText } from "./redact.ts";

const MARK = "[REDACTED:private]";

test("text between the tags is removed, with the tags", () => {
  assert.deepEqual(redactText("a <private>my plan\nof two lines</private> b"), { text: `a ${MARK} b`, count: 1 });
  assert.equal(redactText("<private>x <private>y</private> z</private>!").text, `${MARK}!`);
  assert.equal(redactText("<private>a</private> and <private>b</private>").text, `${MARK} and ${MARK}`);
  assert.equal(redactText("<PRIVATE>a</Private> <pRiVaTe>b</PRIVATE>.").text, `${MARK} ${MARK}.`);
  assert.equal(redactText('<private reason="salary">a</private>.').text, `${MARK}.`);
  assert.equal(redactText("```js\nf(1); // <private>a</private>\n```").text, `\`\`\`js\nf(1); // ${MARK}\n\`\`\``);
  assert.equal(redactText("<privateer>a</privateer> </private>").count, 0);
});

test("typed text after an unclosed tag is removed to the end", () => {
  assert.deepEqual(redactText("a <private>b\nc"), { text: `a ${MARK}`, count: 1 });
  assert.equal(redactText("<private>a <private>b</private> rest").text, MARK);
  assert.equal(redactText("<private>a</private> b <private>c").text, `${MARK} b ${MARK}`);
  assert.deepEqual(redactJson({ command: "dex pin '<private>x'", n: 1 }), {
    value: { command: `dex pin '${MARK}`, n: 1 },
    count: 1,
  });
});

test("program output loses closed blocks, and unclosed ones that start a line", () => {
  const log = "12:01 login: user <private> from <private>\n12:02 done";
  assert.equal(redactText(log, "printed").count, 0);
  assert.equal(redactText("a <private>b</private> c", "printed").text, `a ${MARK} c`);
  assert.equal(redactText("a <private>b <private>c</private> d", "printed").text, `a ${MARK} d`);
  assert.equal(redactText("  7→notes\n  8→<private>\n  9→my plan", "printed").text, `  7→notes\n  8→${MARK}`);
  assert.equal(redactText("// <private>\nmy plan", "printed").text, `// ${MARK}`);
});

test("a block over several texts of a message goes as one, and other parts between them stay", () => {
  const call: Part = { type: "tool_call", name: "Read", input: { path: "a.ts" } };
  const message = said("one <private>two", call, "three", "four</private> five");
  const { message: clean, count } = redactMessage(message);
  assert.deepEqual(clean.parts, [text(`one ${MARK}`), call, text(MARK), text(`${MARK} five`)]);
  assert.equal(count, 1);
  assert.deepEqual(redactMessage(said("one <private>two", "three")).message.parts, [
    text(`one ${MARK}`),
    text("three"),
  ]);
  const twice = said("<private>a", "<private>b</private> c");
  assert.deepEqual(redactMessage(twice).message.parts, [text(MARK), text(`${MARK} c`)]);
  const plain = said("<p>one</p>", "two");
  assert.ok(Object.is(redactMessage(plain).message, plain));
});

test("blocks are found in linear time, and redaction is idempotent", () => {
  for (const piece of ["<private>", "<private></private>", "</private>", "\n<private>", "x<private> "]) {
    const whole = piece.repeat(10_000);
    for (const utterance of ["said", "printed"] as const) {
      const once = redactText(whole, utterance).text;
      assert.deepEqual(redactText(once, utterance), { text: once, count: 0 }, `${piece} ${utterance}`);
    }
  }
});

function said(...parts: (string | Part)[]): Message {
  return { role: "user", parts: parts.map((part) => (typeof part === "string" ? text(part) : part)) };
}

function text(of: string): Part {
  return { type: "text", text: of };
}

test("private text is removed however the marker is written", () => {
  assert.equal(withoutPrivate("a <private>b</private> c <PRIVATE reason='x'>\nd\n</Private > e"), "a   c   e");
  assert.equal(withoutPrivate("a <private>b"), "a");
  assert.equal(withoutPrivate("<private>a</private>"), "");
  assert.equal(withoutPrivate("the privateer <privateer> sails"), "the privateer <privateer> sails");
});
