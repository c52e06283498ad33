/** Deprecated code in use: proven by imports and calls, never by a name alone. With a code graph and without one. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { TestRepository, temporaryFolder } from "../../../test/support/repository.ts";
import { openFresh } from "../../code/open.ts";
import { findCodeProject } from "../../code/project.ts";
import { repositoryOrFolder } from "../../history/repository.ts";
import { OwnedCaches } from "../../kernel/owned_caches.ts";
import { deprecatedInUse } from "./deprecations.ts";

const FILES = {
  "src/old.ts": [
    "/** @deprecated use openPool */",
    "export function openOldPool() {}",
    "/** @deprecated */",
    "export function get() {}",
    "/** @deprecated with one argument */",
    "export function compareAll(a: string): boolean;",
    "export function compareAll(a: string, b: string): boolean;",
    "export function compareAll(a: string, b?: string): boolean { return a === b; }",
    "/** @deprecated */",
    "export interface OldOptions {",
    "  /** @deprecated */",
    "  maximumSize?: number;",
    "}",
    "",
  ].join("\n"),
  "src/index.ts": 'export { openOldPool } from "./old.ts";\nexport type { OldOptions } from "./old.ts";\n',
  "src/use.ts":
    'import { get, openOldPool, compareAll } from "./old.ts";\nexport const pool = [openOldPool(), get(), compareAll("a")];\n',
  "src/through.ts": 'import { openOldPool as open } from "./index.ts";\nexport const made = open;\n',
  "src/older.ts":
    'import { openOldPool } from "./old.ts";\n/** @deprecated */\nexport function openOlderPool() {\n  openOldPool();\n}\n',
  "src/word.ts":
    "// openOldPool and get\nexport const map = new Map(); map.get(1); const openOldPool = 1; openOldPool;\n",
  "src/typed.ts": 'import type { OldOptions } from "./old.ts";\nexport const given: OldOptions = { maximumSize: 1 };\n',
  "test/old.test.ts": 'import { openOldPool } from "../src/old.ts";\nopenOldPool();\n',
  "java/shop/Cart.java": [
    "package shop;",
    "public class Cart {",
    "  /** @deprecated use put */",
    "  @Deprecated",
    "  public java.util.List<String> add(",
    "      String name) { return null; }",
    "  @Deprecated public void get(int at) {}",
    "  public void get(String key) {}",
    "}",
    "",
  ].join("\n"),
  "java/shop/Till.java":
    'package shop;\npublic class Till {\n  void ring(Cart cart) { cart.add("a"); cart.get("b"); }\n}\n',
};

test("uses in other code count; tests, re-exports, deprecated code, overloads and mere words do not", async () => {
  const made = new TestRepository();
  made.commit("feat: begin", FILES);
  const repository = repositoryOrFolder(made.root);
  const caches = new OwnedCaches();
  try {
    const project = findCodeProject(join(temporaryFolder(), "code"), made.root);
    const { store } = await openFresh(caches, project, { now: Date.now });
    const byGraph = await deprecatedInUse(repository, store);
    assert.deepEqual(
      byGraph.map(({ symbol, users, sure }) => [symbol, users, sure]),
      [
        ["openOldPool", ["src/through.ts", "src/use.ts"], true],
        ["add", ["java/shop/Till.java"], true],
        ["get", ["src/use.ts"], true],
        ["OldOptions", ["src/typed.ts"], true],
      ],
    );
    assert.equal(byGraph.find(({ symbol }) => symbol === "add")?.message, "use put", "marked twice, told once");
  } finally {
    caches.close();
  }
  const byText = await deprecatedInUse(repository, undefined);
  assert.deepEqual(
    byText.map(({ symbol, users, sure }) => [symbol, users, sure]),
    [
      ["openOldPool", ["src/older.ts", "src/use.ts"], false],
      ["OldOptions", ["src/typed.ts"], false],
    ],
  );
});
