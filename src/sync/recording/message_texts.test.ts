import assert from "node:assert/strict";
import test from "node:test";
import type { Message } from "../../conversations/model.ts";
import { SMALL_CAPACITY } from "../../text/terms/analyser.ts";
import { packFacts, unpackFacts } from "../reading/packed_digests.ts";
import { Digester, factsOf, lineHashes } from "./digest.ts";
import { TextBuffer, TextCursor } from "./message_texts.ts";

const MESSAGES: Message[] = [
  { role: "user", time: "2026-02-01T10:00:00.000Z", parts: [{ type: "text", text: "Größe of the parser?\nSay it." }] },
  {
    role: "assistant",
    time: "2026-02-01T10:00:05.000Z",
    parts: [
      { type: "text", text: "I look at parse_line and main.go, 数字 included 🙂." },
      { type: "tool_call", name: "Bash", id: "call-1", input: { command: "npm test --no-verify", times: 3 } },
      { type: "text", text: "" },
    ],
    usage: [{ id: "request-1", input: 7, output: 11 }],
  },
  { role: "tool", parts: [{ type: "tool_result", name: "Bash", id: "call-1", output: "2 failed", exit_code: 1 }] },
  { role: "system", parts: [] },
  { role: "user", parts: [{ type: "text", text: `${"x1 parsed lineNumber ".repeat(9000)}é` }] },
];

function line(message: Message | undefined): Buffer {
  return Buffer.from(JSON.stringify(message));
}

test("a recorder digests a block from its texts and facts as it would digest the messages", () => {
  const texts = new TextBuffer();
  const facts = MESSAGES.map(factsOf);
  for (const message of MESSAGES) texts.add(message);
  const block = texts.take();
  const [whole, ofTexts] = [new Digester(undefined, SMALL_CAPACITY), new Digester(undefined, SMALL_CAPACITY)];
  const cursor = new TextCursor(block);
  const recorded = unpackFacts(packFacts(facts)).map((each, i) => ({
    ...each,
    ...lineHashes(line(MESSAGES[i]), each.usage_bytes),
    ...ofTexts.texts(cursor),
  }));
  const digested = MESSAGES.map((message) => whole.digest(message, line(message)));
  assert.deepEqual(recorded, digested);
  assert.deepEqual(ofTexts.analyser.terms, whole.analyser.terms);
  assert.deepEqual(
    recorded.map(({ shell_calls, shell_results, requests }) =>
      [shell_calls, shell_results, requests].map((each) => each.length),
    ),
    [
      [0, 0, 0],
      [1, 0, 1],
      [0, 1, 0],
      [0, 0, 0],
      [0, 0, 0],
    ],
  );
  const skipping = new TextCursor(block);
  skipping.skip(2);
  const second = new Digester(undefined, SMALL_CAPACITY);
  assert.equal(second.texts(skipping).length, recorded[2]?.length);
  assert.deepEqual(second.analyser.terms, ["2", "fail", "zqxtool0bash"]);
  assert.deepEqual(texts.take(), { units: new Uint16Array(), numbers: new Uint32Array() }, "what was taken is gone");
});

test("the usage is not part of a message's hash, wherever it stands in the line", () => {
  const digester = new Digester(undefined, SMALL_CAPACITY);
  const { usage, ...plain } = MESSAGES[1] as Message;
  const [last, first, without] = [{ ...plain, usage }, { usage, ...plain }, plain].map((message) =>
    digester.digest(message as Message, line(message as Message)),
  );
  assert.equal(last?.hash, without?.hash);
  assert.equal(first?.hash, without?.hash);
  assert.equal(first?.usage_hash, last?.usage_hash);
  assert.equal(without?.usage_hash, 0);
});
