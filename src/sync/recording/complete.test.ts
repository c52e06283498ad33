import assert from "node:assert/strict";
import test from "node:test";
import type { Message } from "../../conversations/model.ts";
import { SMALL_CAPACITY } from "../../text/analyser.ts";
import { packFacts, packWords, unpackFacts, unpackWords } from "../reading/packed_digests.ts";
import { completeDigests } from "./complete.ts";
import { Digester } from "./digest.ts";
import { LineBuffer } from "./line_buffer.ts";

const MESSAGES: Message[] = [
  { role: "user", time: "2026-02-01T10:00:00.000Z", parts: [{ type: "text", text: "Größe of the parser?\nSay it." }] },
  {
    role: "assistant",
    time: "2026-02-01T10:00:05.000Z",
    parts: [
      { type: "text", text: "I look." },
      { type: "tool_call", name: "Bash", id: "call-1", input: { command: "npm test" } },
    ],
    usage: [{ id: "request-1", input: 7, output: 11 }],
  },
  { role: "tool", parts: [{ type: "tool_result", name: "Bash", id: "call-1", output: "2 failed", exit_code: 1 }] },
];

test("facts that the recorder takes from the lines are those that a reader takes from the messages", () => {
  const digester = new Digester(undefined, SMALL_CAPACITY);
  const buffer = new LineBuffer();
  const digests = MESSAGES.map((message) => digester.digest(message, buffer.add(JSON.stringify(message))));
  const lines = buffer.take();
  const words = unpackWords(packWords(digests));
  const byReader = completeDigests(digester, lines, words, unpackFacts(packFacts(digests)));
  const byRecorder = completeDigests(digester, lines, words, undefined);
  assert.equal(byRecorder.length, MESSAGES.length);
  for (const [i, digest] of byRecorder.entries()) {
    const { vectors: none, ...reader } = byReader[i] ?? assert.fail();
    const { vectors, ...recorder } = digest;
    assert.deepEqual([vectors, none?.length], [undefined, 0]);
    assert.deepEqual(recorder, reader);
  }
  assert.deepEqual(
    byRecorder.map(({ shell_calls, shell_results, requests }) =>
      [shell_calls, shell_results, requests].map((l) => l.length),
    ),
    [
      [0, 0, 0],
      [1, 0, 1],
      [0, 1, 0],
    ],
  );
});
