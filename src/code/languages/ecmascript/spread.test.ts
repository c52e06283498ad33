import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

/** Several objects have these methods, so that no guess by name can be right. */
const LIBRARY = `export const base = { run() {}, stop() {} };
export const other = { run() {}, stop() {}, go() {} };
export class Tag { run() {} }
export const Held = Tag;
`;

const CASES: CallCases = {
  "a variable": ["function f() { const o = { ...base, run() {} }; o.run(); o.stop(); }", ["base.stop", "f.o.run"]],
  "a result": [
    "function make() { return { ...base, run() {} }; } make().run(); make().stop();",
    ["base.stop", "make", "make.run"],
  ],
  "a constant": ["const o = { ...base, run() {} }; function f() { o.run(); o.stop(); }", ["base.stop", "o.run"]],
  "a class that a constant holds": ["function f() { new Held().run(); }", ["Held", "Tag.run"]],
};

describe("TypeScript: objects that take over the members of others, and classes that constants hold", () => {
  testCalls(CASES, "main.ts", (text) => ({
    "library.ts": LIBRARY,
    "main.ts": `import { base, Held } from "./library";\n${text}\n`,
  }));
});
