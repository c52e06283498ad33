import assert from "node:assert/strict";
import { test } from "node:test";
import { serveOptions } from "../../mcp/options.ts";
import { TOOLSETS } from "../../operations/operation.ts";
import { readProgramInput } from "../run_program.ts";
import { serve } from "./serve.ts";

function options(argv: readonly string[]): ReturnType<typeof serveOptions> {
  const input = readProgramInput(serve, argv);
  assert.ok(input, "help was not asked for");
  return serveOptions(input);
}

test("serves conversations over stdio by default", () => {
  assert.deepEqual(options([]), {
    sets: new Set(["conversations"]),
    port: undefined,
    scope: {},
    structured: "lines",
  });
  assert.deepEqual(options(["--tools", "code, memory", "--port=0"]), {
    sets: new Set(["code", "memory"]),
    port: 0,
    scope: {},
    structured: "lines",
  });
  assert.deepEqual(options(["--tools=all"]).sets, new Set(TOOLSETS));
});

test("a limit on the documentation serves documents alone", () => {
  const limited = options(["-c", "one", "two", "--collections=three", "--no-global"]);
  assert.deepEqual(limited.scope, { collections: ["one", "two", "three"], global: false });
  assert.deepEqual(limited.sets, new Set(["documents"]));
});

test("a mistyped option is refused with the nearest one, the limit, or the reason", () => {
  assert.throws(() => options(["--tool", "code"]), { code: "unknown_flag", hint: /--tools/ });
  assert.throws(() => options(["--tools", "cod"]), { code: "bad_flag", message: /did you mean code/ });
  assert.throws(() => options(["--port", "70000"]), { code: "bad_input", message: /--port must be at most 65,?535/ });
  assert.throws(() => options(["--port"]), { code: "bad_flag", message: /needs a value/ });
  assert.throws(() => options(["--no-global=1"]), { code: "bad_flag" });
  assert.throws(() => options(["here"]), { code: "bad_usage", message: /"here" is one argument too many/ });
});
