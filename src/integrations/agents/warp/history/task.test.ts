import assert from "node:assert/strict";
import { it } from "node:test";
import { message, proto } from "../../../../../test/support/sources/forms.ts";
import { ProtoMessage } from "../../../history/reading/protobuf.ts";
import { taskMessages } from "./task.ts";

const [QUERY, OUTPUT, CALL, RESULT, MCP, MCP_RESULT] = [2, 3, 4, 5, 12, 16];

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
  assert.deepEqual(partsOf(message(stale, ...texts, call)), [
    { type: "tool_call", id: "c1", name: "find", input: { arguments: ["find", "server"] } },
  ]);
});

it("does not take a text whose letters are also a number for a number", () => {
  const result = message(proto(1, "c1"), proto(MCP_RESULT, message(proto(2, "image/png"))));
  assert.deepEqual(partsOf(message(proto(RESULT, result))), [{ type: "tool_result", id: "c1", output: "image/png" }]);
});
