import assert from "node:assert/strict";
import { it } from "node:test";
import { message, proto } from "../../../../../test/support/sources/forms.ts";
import { ProtoMessage } from "../../../history/reading/protobuf.ts";
import { taskMessages } from "./task.ts";

const [QUERY, OUTPUT, CALL, RESULT, MCP, MCP_RESULT, FILES] = [2, 3, 4, 5, 12, 16, 5];

function partsOf(...messages: Uint8Array[]): unknown[] {
  const task = ProtoMessage.read(message(...messages.map((each) => proto(5, each))));
  assert.ok(task);
  return taskMessages(task).flatMap(({ parts }) => parts);
}

const mcp = (tool: string): Uint8Array => proto(MCP, message(proto(1, tool), proto(3, "server")));

it("takes the last of several kinds for the kind of the message", () => {
  const stale = proto(CALL, message(proto(1, "stale"), mcp("stale_tool")));
  const call = proto(CALL, message(proto(2, message()), mcp("find"), proto(1, "c1")));
  const texts = [proto(QUERY, message()), proto(OUTPUT, message(proto(1, "discarded")))];
  assert.deepEqual(partsOf(message(stale, ...texts, call)), [{ type: "tool_call", id: "c1", name: "find", input: {} }]);
});

it("does not take a text whose letters are also a number for a number", () => {
  const result = message(proto(1, "c1"), proto(FILES, message(proto(2, "image/png"))));
  assert.deepEqual(partsOf(message(proto(RESULT, result))), [{ type: "tool_result", id: "c1", output: "image/png" }]);
});

it("reads the input of a server's tool, whatever values it has", () => {
  const entry = (name: string, value: Uint8Array): Uint8Array => proto(1, message(proto(1, name), proto(2, value)));
  const list = message(proto(6, message(proto(1, message(proto(3, "a"))), proto(1, message(proto(1, 0))))));
  const inner = message(proto(5, message(entry("deep", message(proto(4, 1))))));
  const half = Buffer.alloc(9);
  half.writeUInt8((2 << 3) | 1);
  half.writeDoubleLE(0.5, 1);
  const struct = message(
    entry("side", message(proto(3, "left"))),
    entry("list", list),
    entry("in", inner),
    entry("n", half),
  );
  const call = message(proto(1, "c1"), proto(MCP, message(proto(1, "turn"), proto(2, struct), proto(3, "server"))));
  const input = { side: "left", list: ["a", null], in: { deep: true }, n: 0.5 };
  assert.deepEqual(partsOf(message(proto(CALL, call))), [{ type: "tool_call", id: "c1", name: "turn", input }]);
});

it("keeps the texts of what a server's tool returned, and never the bytes of an image", () => {
  const item = (arm: number, ...fields: Uint8Array[]): Uint8Array => proto(1, message(proto(arm, message(...fields))));
  const items = message(
    item(1, proto(1, "first")),
    item(2, proto(1, "aGVsbG8="), proto(2, "image/png")),
    item(3, proto(1, "notes://a"), proto(2, message(proto(1, "a note"), proto(2, "text/plain")))),
    item(3, proto(1, "notes://b"), proto(3, message(proto(1, "AAAA")))),
  );
  const answered = message(proto(1, "c1"), proto(MCP_RESULT, message(proto(1, items))));
  const failed = message(proto(1, "c2"), proto(MCP_RESULT, message(proto(2, message(proto(1, "no such tool"))))));
  assert.deepEqual(partsOf(message(proto(RESULT, answered)), message(proto(RESULT, failed))), [
    { type: "tool_result", id: "c1", output: "first\n[image]\na note\n[file] notes://b" },
    { type: "tool_result", id: "c2", output: "no such tool", is_error: true },
  ]);
});
