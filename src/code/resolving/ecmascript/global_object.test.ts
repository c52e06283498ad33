import { describe } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";

const LIBRARY = `export class Api { run() {} close() {} }
export class Other { run() {} close() {} alert() {} }
`;

const CASES: CallCases = {
  "a member that the project adds": [
    "function f() { window.api.run(); globalThis.api?.close(); }",
    ["Api.close", "Api.run"],
  ],
  "a member of the library": ["function f() { window.alert(); window.other.close(); }", []],
  "a variable of the same name": ["function f(window: Other) { window.close(); }", ["Other.close"]],
};

describe("TypeScript: members of the global object", () => {
  testCalls(CASES, "main.ts", (text) => ({
    "library.ts": LIBRARY,
    "globals.d.ts": 'import type { Api } from "./library";\ndeclare global { interface Window { api: Api } }\n',
    "main.ts": `import { Other } from "./library";\n${text}\n`,
  }));
});
