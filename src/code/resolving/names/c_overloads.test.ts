import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { callEdgesOf } from "../../../../test/support/code.ts";

const FILES = {
  "lib.h": `#pragma once
namespace lib {
void pack(const char* from, int size, int* to);
void pack(Source* from);
int join(int a, int b, int c);
class Store {
 public:
  void put(int key);
  void put(int key, int value, int flags = 0);
  void get(int key) { found(key); }
  void get(int key, int other);
  void found(int key);
};
}
`,
  "lib.cc": `#include "lib.h"
namespace lib {
void pack(const char* from, int size, int* to) {}
void pack(Source* from) {}
void Store::put(int key) {}
void Store::put(int key, int value, int flags) {}
void Store::get(int key, int other) {}
void Store::found(int key) {}
}
`,
  "checked.h": "namespace utf {\ninline int join(int from, int to, int* into) { return 0; }\n}\n",
  "short.h": `#include "checked.h"
namespace utf {
inline int join(int from) { return join(from, 1, nullptr); }
}
`,
  // A macro whose declaration has a comment of more than two hundred characters.
  "Message.h": `#include "lib.h"
LIB_NAMESPACE_BEGIN

/*! ${"A message that tells something. ".repeat(20)} */
class LIB_API Message
{
 public:
  void tell() { again(); }
  void again() {}
};

LIB_NAMESPACE_END
`,
};

/** The text of a function, and the lines of what it calls with the basis of each. */
const CASES: Record<string, [string, string[]]> = {
  "a function that a header declares": [
    "lib::pack(a, 1, b); lib::pack(source);",
    ["lib.cc:3 lib.pack import", "lib.cc:4 lib.pack import"],
  ],
  "methods in a source file, one with a default": [
    "store.put(1); store.put(1, 2);",
    ["lib.cc:5 lib.Store.put import", "lib.cc:6 lib.Store.put import"],
  ],
  "one in the class and one in a source file": [
    "store.get(1); store.get(1, 2);",
    ["lib.cc:7 lib.Store.get import", "lib.h:10 lib.Store.get import"],
  ],
};

describe("C++: overloads by the number of arguments", () => {
  for (const [name, [body, calls]] of Object.entries(CASES)) {
    test(name, async () => {
      const main = `#include "lib.h"\nvoid run(lib::Store& store, const char* a, int* b, Source* source) { ${body} }\n`;
      assert.deepEqual(await callsOf({ ...FILES, "main.cc": main }, "main.cc"), calls);
    });
  }

  test("two headers of one namespace", async () => {
    assert.deepEqual(await callsOf(FILES, "short.h"), ["checked.h:2 utf.join import"]);
  });

  test("a macro on its own line does not hide a class after a long comment", async () => {
    assert.deepEqual(await callsOf(FILES, "Message.h"), ["Message.h:9 Message.again same-file"]);
  });
});

async function callsOf(files: Record<string, string>, path: string): Promise<string[]> {
  const edges = await callEdgesOf(files, path);
  return edges
    .map(({ entity, edge }) => `${entity.path}:${entity.first_line} ${entity.qualified} ${edge.resolution}`)
    .sort();
}
