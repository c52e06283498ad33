/** Which declaration a deprecation mark belongs to, by the text alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isMark, markedName } from "./marks.ts";

function named(code: string, line: number): string | undefined {
  const lines = code.split("\n");
  assert.ok(isMark(lines[line - 1] ?? ""), code);
  return markedName({ lines, line, raised: /DeprecationWarning/.test(lines[line - 1] ?? "") })?.name;
}

test("marks of several languages, and the names they mark", () => {
  const cases: [code: string, line: number, name: string | undefined][] = [
    ["/**\n * Old.\n * @deprecated use fresh\n */\nexport function stale() {}", 3, "stale"],
    ["/** @deprecated use b */\nconst a = 1;", 1, "a"],
    ["class A {\n  /** @deprecated */\n  async list(\n    first: number,\n  ): Promise<number[]> {", 2, "list"],
    ["interface A {\n  /** @deprecated use limit */\n  maximum?: number;\n}", 2, "maximum"],
    ["/** @deprecated */\nexport type Old = string;", 1, "Old"],
    ["/** @deprecated */\nexport { A as B } from './a.ts';", 1, undefined],
    ["  @Deprecated\n  public List<String> add(\n      String name,\n      int count) {", 1, "add"],
    [
      '  @Deprecated(\n      since = "2")\n  @Other(1)\n  public <T extends A<T>> Map<String, List<T>>\n      sorted(int n) {',
      1,
      "sorted",
    ],
    ["  @Deprecated public int old = 1;", 1, "old"],
    ['#[deprecated(since = "1", note = "use y")]\n#[inline]\npub fn x<\n    T,\n>(a: T) {}', 1, "x"],
    ["#[deprecated]\npub struct Old;", 1, "Old"],
    ['  [Obsolete("Use Save.")]\n  public async Task<List<int>> StoreAll(\n    int a) {', 1, "StoreAll"],
    [
      "// OpenAll opens.\n//\n// Deprecated: use Open, which\n// is quicker.\nfunc OpenAll(\n\tfirst int,\n) {}",
      3,
      "OpenAll",
    ],
    ["type Box struct {\n\t// Deprecated: use Wide.\n\tWidth int\n}", 2, "Width"],
    ['@deprecated("use opens")\n@cache\ndef open_all(\n    first,\n):\n    pass', 1, "open_all"],
    ['def plain(a):\n    """Doc."""\n    warnings.warn("plain", DeprecationWarning)', 3, "plain"],
    ['def wrapped(\n    a,\n):\n    warnings.warn("x", DeprecationWarning)', 4, "wrapped"],
    ['def partly(a):\n    if a:\n        warnings.warn("a", DeprecationWarning)', 3, undefined],
    ['class Old:\n    def __init__(self):\n        warnings.warn("Old", DeprecationWarning)', 3, "Old"],
    ['def __getattr__(name):\n    warnings.warn("name", DeprecationWarning)', 2, undefined],
  ];
  for (const [code, line, name] of cases) assert.equal(named(code, line), name, code);
});

test("text that only mentions deprecation is not a mark", () => {
  for (const text of [
    'const pattern = "@deprecated";',
    "// it says @deprecated somewhere",
    "@deprecated_params(old='1')",
    "  except DeprecationWarning:",
  ]) {
    assert.equal(isMark(text), false, text);
  }
});
