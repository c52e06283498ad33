import assert from "node:assert/strict";
import { test } from "node:test";
import { TOOLSETS } from "../operations/operation.ts";
import { serveOptions } from "./options.ts";

test("conversations over stdio unless told otherwise", () => {
  assert.deepEqual(serveOptions([]), { sets: new Set(["conversations"]), port: undefined, scope: {} });
  assert.deepEqual(serveOptions(["--tools", "code, memory", "--port=0"]), {
    sets: new Set(["code", "memory"]),
    port: 0,
    scope: {},
  });
  assert.deepEqual(serveOptions(["--tools=all"]).sets, new Set(TOOLSETS));
});

test("who limits the documentation serves that alone", () => {
  const limited = serveOptions(["-c", "one", "two", "--collections=three", "--no-global"]);
  assert.deepEqual(limited.scope, { collections: ["one", "two", "three"], global: false });
  assert.deepEqual(limited.sets, new Set(["documents"]));
});

test("slips are named with what was meant", () => {
  assert.throws(() => serveOptions(["--tool", "code"]), { code: "unknown_flag", hint: /--tools/ });
  assert.throws(() => serveOptions(["--tools", "cod"]), { code: "bad_flag", message: /did you mean code/ });
  assert.throws(() => serveOptions(["--port", "70000"]), { code: "bad_flag", hint: /0 to 65535/ });
  assert.throws(() => serveOptions(["--port"]), { code: "bad_flag", message: /needs a value/ });
  assert.throws(() => serveOptions(["--no-global=1"]), { code: "bad_flag" });
  assert.throws(() => serveOptions(["here"]), { code: "bad_usage", message: /takes no "here"/ });
});
