import assert from "node:assert/strict";
import { test } from "node:test";
import { rounds } from "../../../test/support/program/limits.ts";
import { between, seeded } from "../../../test/support/random.ts";
import { parseMarkdown } from "../../documents/formats/markdown.ts";
import { apiReference, commentText, isDeclarationFile } from "./api_reference.ts";
import { documentedDeclarations } from "./declarations.ts";

const TEXT = `/** Not this one: a header of the file. */
import { A } from "./a";

/**
 * Opens the gate of the zoo.
 *
 * @param gate - The {@link Gate | gate} to open
 * @param [hours=8] {number} how long
 * @returns Whether it opened
 * @example
 * open({ name: "north" }, 2);
 * @deprecated Use \`Gate.open\`.
 */
export declare function open(gate: { name: string; /** inner */ lock?: (key: string) => void }, hours?: number): boolean;

export interface Gate<T = { a: 1 }> {
  /** The name that visitors see on the sign. */
  readonly name: string
  /** Called when somebody "rings; the bell {". */
  onRing?: (who: string) => void;
  /** @internal Nobody should know this secret way. */
  secret(): void;
  options: {
    /** How many visitors may stand in line. */
    queue: number;
  };
}
/** A keeper who feeds the animals daily. */
declare class Keeper {
  /** Not for others, ever, at all. */
  private wage: number;
  /** Feeds all the animals of one house. */
  static feed(house: "lions" | 'a"b'): Promise<void>;
}
declare namespace zoo { /** Seconds until the gates close. */ const closing: number; }
declare module "../zoo" { interface Gate { /** Added by another module later. */ color: string } }
`;

test("documented declarations with their containers, without private and internal ones", () => {
  assert.deepEqual(
    documentedDeclarations(TEXT).map(({ name }) => name),
    ["open", "Gate.name", "Gate.onRing", "Gate.options.queue", "Keeper", "Keeper.feed", "zoo.closing", "Gate.color"],
  );
  const [open] = documentedDeclarations(TEXT);
  assert.match(
    open?.signature ?? "",
    /^export declare function open\(gate: \{ name: string;.*hours\?: number\): boolean$/,
  );
});

test("comments become Markdown: parameters, results, examples, links", () => {
  const [open] = documentedDeclarations(TEXT);
  assert.equal(
    commentText(open?.comment ?? ""),
    [
      "Opens the gate of the zoo.",
      "",
      "- `gate`: The gate to open",
      "- `hours`: {number} how long",
      "Returns: Whether it opened",
      "",
      "Example:",
      "",
      "```ts",
      'open({ name: "north" }, 2);',
      "```",
      "Deprecated: Use `Gate.open`.",
    ].join("\n"),
  );
  assert.equal(
    commentText("* ## Usage\n * @example\n * ```js\n * # run\n * ```"),
    "**Usage**\n\nExample:\n\n```js\n# run\n```",
  );
});

test("an example with fences of its own keeps them", () => {
  assert.equal(
    commentText("* @example\n *\n * ```tsx\n * <A />\n * ```\n *\n * More."),
    "Example:\n\n```tsx\n<A />\n```\n\nMore.",
  );
  assert.equal(
    commentText("* @example\n * feed();\n * ```sh\n * run\n * ```"),
    "Example:\n\n```ts\nfeed();\n```\n```sh\nrun\n```",
  );
});

test("a document for each file, a section for each declaration, repetitions once", () => {
  const bytes = Buffer.from(TEXT);
  const files = ["index.d.ts", "index.d.mts", "sub/gate.d.ts"].map((path) => ({ path, bytes }));
  const documents = apiReference("zoo", [...files, { path: "plain.d.ts", bytes: Buffer.from("export const a: 1;") }]);
  assert.deepEqual(
    documents.map(({ path }) => path),
    ["api/index.md"],
  );
  const { title, sections } = parseMarkdown(documents[0]?.text ?? "");
  assert.deepEqual([title, sections.length], ["API of zoo: index", 9]);
  for (const path of ["a.d.ts", "dist/b.d.cts"]) assert.ok(isDeclarationFile(path), path);
  for (const path of ["a.ts", "node_modules/x/a.d.ts", "ts4.8/a.d.ts", "lib/lib.dom.d.ts"])
    assert.ok(!isDeclarationFile(path), path);
});

test("any text comes to an end", () => {
  const random = seeded(3);
  const parts = [
    "/**",
    "*/",
    "{",
    "}",
    "(",
    ")",
    '"',
    "`",
    "'",
    ";",
    "\n",
    "interface A",
    "export const b",
    "//",
    "@example",
    "```",
    " ",
  ];
  for (let round = 0; round < rounds(125, 500); round += 1) {
    let text = "";
    for (let i = between(random, 1, 80); i > 0; i -= 1) text += parts[between(random, 0, parts.length - 1)];
    apiReference("x", [{ path: "a.d.ts", bytes: Buffer.from(text) }]);
  }
  apiReference("x", [{ path: "a.d.ts", bytes: Buffer.from("/** comment of it */ interface A {".repeat(50_000)) }]);
});
