/** The comment or docstring of a definition: layout kept, markers gone, truncated at the end of a line. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CodeFixture } from "../../../../../test/support/code.ts";

const LONG = Array.from({ length: 60 }, (_, i) => `    Line ${i} of a long description.`).join("\n");
const fixture = new CodeFixture({
  "a.py": `def stream():
    """Send a response in parts.

    Use it as a decorator::

        @stream
        def generate():
            yield 1

    Then return it.
    """
    return 1

def long():
    """Opens.

${LONG}
    """

def empty():
    """"""
`,
  "c.rs": "/// Opens.\n#[inline]\n#[must_use]\npub fn open() {}\nfn shut() {} // here\nfn turn() {}\n",
  "d.ts": "export class Door {\n  /** Opens. */\n  @log\n  open() {}\n  width = 1; // in inches\n  shut() {}\n}\n",
  "e.c":
    "int count; /* of doors */\nint open(int a)\n/* Opens. */\n{ return a; }\n\nint shut(a)\n    int a; /* the door */\n{ return a; }\n",
  "b.ts": "/**\n * Opens the door:\n *\n *     open();\n */\nexport function open() {}\n",
});
before(() => fixture.index());
after(() => fixture.dispose());

function docOf(path: string, name: string): string {
  return fixture.read((store) => {
    const file = store.files().find((each) => each.path === path);
    const entity = store.entities(file?.no ?? 0).find((each) => each.qualified === name);
    assert.ok(entity, name);
    return entity.doc;
  });
}

test("an example in a docstring keeps its indentation, without that of the body", () => {
  assert.equal(
    docOf("a.py", "stream"),
    "Send a response in parts.\n\nUse it as a decorator::\n\n    @stream\n    def generate():\n        yield 1\n\nThen return it.",
  );
  assert.equal(docOf("a.py", "empty"), "");
});

test("the markers of a block comment are gone, the indentation behind them is not", () => {
  assert.equal(docOf("b.ts", "open"), "Opens the door:\n\n    open();");
});

test("a long docstring ends with a whole line", () => {
  assert.match(docOf("a.py", "long"), /^Opens\.\n\nLine 0 [\s\S]*\nLine \d+ of a long description\.$/);
});

test("a comment behind code says nothing about the definition below, and attributes do not part a comment from theirs", () => {
  assert.deepEqual(
    ["open", "shut", "turn"].map((name) => docOf("c.rs", name)),
    ["Opens.", "", ""],
  );
  assert.deepEqual(
    ["Door.open", "Door.shut"].map((name) => docOf("d.ts", name)),
    ["Opens.", ""],
  );
});

test("a comment between the head of a function of C and its body is about the function", () => {
  assert.deepEqual(
    ["open", "shut"].map((name) => docOf("e.c", name)),
    ["Opens.", ""],
  );
});
