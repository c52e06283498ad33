import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_MESSAGE_BYTES, messageError, messageLines } from "./messages.ts";

interface Refusal {
  id: string | number | null;
  error: { code: number };
}

test("messages pass, everything else gets the error that JSON-RPC has for it", () => {
  const messages = [
    '{"jsonrpc":"2.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{}}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":3,"result":{}}',
    '{"jsonrpc":"2.0","id":3,"error":{"code":1,"message":"x"}}',
  ];
  for (const line of messages) assert.equal(messageError(line), undefined, line);
  for (const line of ["", "  \t"]) assert.equal(messageError(line), "blank");
  const refused: [line: string, code: number, id: string | number | null][] = [
    ["{]", -32700, null],
    ["\ufffd{", -32700, null],
    ["42", -32600, null],
    ['"text"', -32600, null],
    ["[]", -32600, null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
    ['{"jsonrpc":"1.0","id":4,"method":"ping"}', -32600, 4],
    ['{"jsonrpc":"2.0","id":5}', -32600, 5],
    ['{"jsonrpc":"2.0","id":"six","method":7}', -32600, "six"],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":8,"method":"ping","params":[1]}', -32600, 8],
  ];
  for (const [line, code, id] of refused) {
    const refusal = messageError(line) as Refusal;
    assert.deepEqual([refusal.error.code, refusal.id], [code, id], line);
  }
});

test("lines are put together from any pieces, and one that is too long is answered once and not kept", async () => {
  const answers: object[] = [];
  const lines = messageLines({ answer: (error) => answers.push(error), settled: async () => {} });
  const passed: string[] = [];
  lines.on("data", (chunk: Buffer) => passed.push(chunk.toString()));
  const message = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  for (const byte of Buffer.from(`${message}\n{]\n`)) lines.write(Buffer.from([byte]));
  for (let i = 0; i < 6; i += 1) lines.write(Buffer.alloc(1 << 20, "x"));
  lines.write(`\n\n${message}`);
  lines.end();
  await new Promise((resolve) => lines.once("end", resolve));
  assert.deepEqual(passed, [`${message}\n`, `${message}\n`]);
  assert.equal(answers.length, 2);
  assert.match(JSON.stringify(answers[1]), new RegExp(MAX_MESSAGE_BYTES.toLocaleString("en")));
});
