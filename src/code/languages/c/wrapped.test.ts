import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CodeFixture } from "../../../../test/support/code.ts";
import { unwrapped } from "./wrapped.ts";

const HEADER = `#define OF(args) args
#define LIB_API(name) name
#define LIB_CALL(type) type
#define LIB_FUNCTION(type, name, args) type name args
#define open lib_open
#define release(x) do { if (x) drop(x); } while (0)
extern int open OF((const char *name));
extern void drop OF((int x));
char *LIB_API(title) (int x);
LIB_FUNCTION(void, fail, (const char *text));
`;
const SOURCE = `#include "lib.h"
#define local static
local unsigned count OF((int a, int b));

/* Opens. */
int LIB_EXPORT open(name)
    const char *name;
{
  release(1);
  return count(1, 2) + (int)(3);
}

local unsigned count(a, b)
    int a, b; /* both */
{
  fail("count");
  return a;
}

char *LIB_API(title)
  (int x)
{
  return title_of(x);
}

const char *title_of(x)
    int x;
{
  drop(x);
  return 0;
}

LIB_CALL(void)
drop(int x)
{
}

LIB_FUNCTION(void, fail, (const char *text))
{
  drop(1);
}
`;

/** Each definition of a file with a body, and what it calls. */
async function callsIn(files: Readonly<Record<string, string>>, path: string): Promise<Record<string, string[]>> {
  const fixture = new CodeFixture(files);
  try {
    await fixture.index();
    return fixture.read((store) =>
      Object.fromEntries(
        store
          .entities(store.file(path)?.no ?? -1)
          .map(
            ({ no, qualified }) =>
              [
                qualified,
                store
                  .outgoing(no, ["CALLS"])
                  .map(({ entity }) => entity.qualified)
                  .sort(),
              ] as const,
          )
          .filter(([, calls]) => calls.length > 0),
      ),
    );
  } finally {
    fixture.dispose();
  }
}

describe("C: macros around declarations", () => {
  test("functions are found, and their calls lead to them", async () => {
    const files = {
      "lib.h": HEADER,
      "lib.c": SOURCE,
      "main.c": '#include "lib.h"\nint main() { open("a"); return title(1); }\n',
    };
    assert.deepEqual(await callsIn(files, "main.c"), { main: ["open", "title"] });
    const calls = await callsIn(files, "lib.c");
    delete calls["lib.c"];
    assert.deepEqual(calls, {
      open: ["count", "release"],
      count: ["fail"],
      title: ["LIB_API", "title_of"],
      title_of: ["drop"],
      drop: ["LIB_CALL"],
      fail: ["LIB_FUNCTION", "drop"],
    });
  });

  test("a macro with parameters calls what its body calls", async () => {
    const calls = await callsIn({ "lib.h": HEADER, "lib.c": SOURCE }, "lib.h");
    assert.deepEqual(calls.release, ["drop"]);
  });

  test("a macro that stands in for a function of the library is a guess, and a cast calls nothing", async () => {
    const fixture = new CodeFixture({
      "lib.h": "#define getenv(x) secure(x)\n#define byte unsigned_byte\n",
      "main.c": '#include "lib.h"\nint main(int x) { return (byte)(x) + getenv("A"); }\n',
    });
    try {
      await fixture.index();
      assert.deepEqual(fixture.callsFrom("main.c"), []);
      assert.deepEqual(
        fixture.callEdgesFrom("main.c").map(({ entity, edge }) => [entity.qualified, edge.resolution]),
        [["getenv", "unique-name"]],
      );
    } finally {
      fixture.dispose();
    }
  });

  test("a definition in older forms: with a tab before it, and with a head for each configuration", async () => {
    const source = `\tstatic char *
first(a)
\tchar *a;
{ return second(a); }
#ifndef VARARGS
#ifdef __STDC__
void second(const char *a, ...)
#else
void second(a)
  const char *a;
#endif
#else
void second(a, list)
  const char *a;
#endif
{ third(a); }
static int
PREFIX(third)(const char *a) { return 1; }
`;
    assert.deepEqual(await callsIn({ "main.c": `#define PREFIX(name) a_##name\n${source}` }, "main.c"), {
      first: ["second"],
      second: ["third"],
      third: ["PREFIX"],
    });
  });

  test("a header that is a part of another has the macros of that one", async () => {
    const files = {
      "all.h": '#define ARGUMENTS(x) x\n#include "part.h"\n',
      "part.h": "int run ARGUMENTS((int a));\nint stop ARGUMENTS((int a));\n",
      "other.c": "#define ARGUMENTS(x) x\n",
    };
    assert.deepEqual(await callsIn(files, "part.h"), { "part.h": ["ARGUMENTS"] });
  });

  test("a function that stands in for one of the library is a guess", async () => {
    const fixture = new CodeFixture({
      "system.h": "#ifndef HAVE_STPCPY\nstatic inline char *stpcpy(char *a, const char *b) { return a; }\n#endif\n",
      "main.c": '#include "system.h"\nint main(int x) { stpcpy(0, 0); }\n',
    });
    try {
      await fixture.index();
      assert.deepEqual(fixture.callsFrom("main.c"), []);
    } finally {
      fixture.dispose();
    }
  });

  test("a test calls a function that a header declares and another test file defines", async () => {
    const files = {
      "tests/support.h": "void prepare(int x);\n",
      "tests/support.c": '#include "support.h"\nvoid prepare(int x) {}\n',
      "tests/other.c": "void prepare2(int x) {}\n",
      "tests/main.c": '#include "support.h"\nint main(int x) { prepare(1); }\n',
    };
    assert.deepEqual(await callsIn(files, "tests/main.c"), { main: ["prepare"] });
  });

  test("of the functions of several programs, the one beside the caller is a guess", async () => {
    const fixture = new CodeFixture({
      "lib.h": "void warn_user(int x);\n",
      "one/warn.c": "void warn_user(int x) {}\n",
      "two/warn.c": "void warn_user(int x) {}\n",
      "two/main.c": '#include "lib.h"\nint main(int x) { warn_user(1); }\n',
    });
    try {
      await fixture.index();
      const found = fixture.callEdgesFrom("two/main.c").map(({ entity, edge }) => [entity.path, edge.resolution]);
      assert.deepEqual(found, [["two/warn.c", "unique-name"]]);
    } finally {
      fixture.dispose();
    }
  });

  test("statements stay, and so does the place of everything", () => {
    for (const text of [
      "int f(void) {\n  return FOO((a));\n}\n",
      "  if (x) FOO((y));\n  else FOO((z));\n",
      "#define G int f OF((x));\n",
      "static int f(a)\nint a;\n{}\n",
      "FOO(a, b, (c)) + 1;\n",
      "const Item &item(int x);\nusing Item = int;\n",
      "Status LIB_API open(int x);\n",
      "struct item *next(int x);\n",
    ])
      assert.equal(unwrapped(text), text);
    const text =
      "local int f\n  OF((int\n a));\nint LIB_API(g)(int x);\nFN(1, int *, LIB_X h, (int\n x), LAST);\n_FN(int h, (int x));\n";
    assert.equal(unwrapped(text).length, text.length);
    assert.equal(
      unwrapped(text).replaceAll(/ +/g, " "),
      " int f\n (int\n a) ;\nint g (int x);\n int * h (int\n x) ;\n int h (int x) ;\n",
    );
  });

  test("a text that opens and never closes is read once", () => {
    for (const piece of [
      "f OF((",
      "int A(b)(",
      "FN(a, b, (",
      "x\n",
      "local int ",
      "a b(",
      "*f(a) int b;",
      "\nA ",
      "#if x\n#endif\n{",
      "* a(b) ",
    ]) {
      const text = piece.repeat(Math.ceil(200_000 / piece.length));
      assert.equal(unwrapped(text).length, text.length, piece);
    }
  });
});
