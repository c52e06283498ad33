import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type CallCases, testCalls } from "../../../../test/support/code.ts";
import { withoutNewerSyntax } from "./newer_syntax.ts";
import { separateSignatures } from "./signatures.ts";

const CASES: CallCases = {
  "using, in a class": [
    "export class A { page() {} async f() { using x = a(); await using y = b(); for await (using z of c()) this.page(); } g() { this.page(); } }",
    ["A.page"],
  ],
  "the variance of type parameters": [
    "export interface Box<in out A, out E = never> extends Base { run(): A; }\nexport function f(x: Box<string>) { x.run(); }",
    ["Box.run"],
  ],
};

describe("TypeScript: newer syntax", () => {
  testCalls(CASES, "main.ts", (text) => ({
    "main.ts": `${text}\n`,
    "other.ts": "export class O { run() {} page() {} }\n",
  }));

  test("every character keeps its place, and words in other places stay", () => {
    const text = "using x = 1;\n  await using y = 2;\nfor (using of of z) {}\nexport type * from './a';\n";
    const changed = withoutNewerSyntax(text);
    assert.equal(changed, "const x = 1;\n        const y = 2;\nfor (const of of z) {}\nexport      * from './a';\n");
    for (const other of ["const using = 1;\nusing(x);\nif (a in b) c(d, in1);", "x.using = y; using.run();"])
      assert.equal(withoutNewerSyntax(other), undefined);
    for (const piece of ["using ", "<in ", ", out ", "await ", " ", "\n", "(", "<"])
      assert.equal(
        (withoutNewerSyntax(`using x = 1;\n${piece.repeat(100_000)}`) ?? "").length,
        13 + piece.length * 100_000,
      );
  });

  test("a generic function behind an arrow does not end a member", () => {
    const text = "const f =\n  <A>(a: A) =>\n  <B>(b: B) => a;\n";
    assert.equal(separateSignatures(text), text);
  });
});
