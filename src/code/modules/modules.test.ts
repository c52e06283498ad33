/** Where imports lead, in small projects that are nothing but paths. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImportFact } from "../facts.ts";
import { type ImportTarget, joinPath, type ModuleResolver, type ProjectFiles } from "./module.ts";
import { pythonModules } from "./python.ts";
import { moduleResolvers } from "./registry.ts";
import { rustModules } from "./rust.ts";

function project(paths: readonly string[], configs: Readonly<Record<string, string>> = {}): ProjectFiles {
  return {
    surfaces: new Map(),
    configs: new Map(Object.entries(configs)),
    paths: new Set(paths),
    modules: () => [],
  };
}

const fact = (source: string, name: string, more: Partial<ImportFact> = {}): ImportFact => ({
  local: name,
  source,
  name,
  line: 1,
  ...more,
});

function leads(resolver: ModuleResolver, from: string, source: string, name = "*"): ImportTarget {
  return resolver.resolve(from, fact(source, name));
}

test("paths are joined only inside the project", () => {
  assert.equal(joinPath("a/b", "../c"), "a/c");
  assert.equal(joinPath("", "./a//b/."), "a/b");
  assert.equal(joinPath("a", "../.."), undefined);
});

test("Python: packages, relative imports, modules beside a script, missing modules", () => {
  const paths = ["app/__init__.py", "app/models.py", "app/api/__init__.py", "app/api/users.py", "tools/run.py"];
  const python = pythonModules(project([...paths, "tools/helper.py", "bare/inner.py"]));
  const from = "app/api/users.py";
  assert.deepEqual(leads(python, from, "app.models", "User"), { kind: "file", path: "app/models.py", name: "User" });
  assert.deepEqual(leads(python, from, "..models"), { kind: "file", path: "app/models.py", name: "*" });
  assert.deepEqual(leads(python, from, ".", "x"), { kind: "file", path: "app/api/__init__.py", name: "x" });
  assert.deepEqual(leads(python, "tools/run.py", "helper"), { kind: "file", path: "tools/helper.py", name: "*" });
  assert.deepEqual(leads(python, from, "bare", "inner"), { kind: "file", path: "bare/inner.py", name: "*" });
  assert.deepEqual(leads(python, from, "bare"), { kind: "package", paths: ["bare/"], name: "*" });
  assert.deepEqual(leads(python, from, ".gone"), { kind: "missing" });
  assert.deepEqual(leads(python, from, "....gone"), { kind: "missing" });
  assert.deepEqual(leads(python, from, "numpy.linalg"), { kind: "external", package: "numpy" });
  assert.equal(python.submodule?.(["app/__init__.py"], "api"), "app/api/__init__.py");
  assert.equal(python.submodule?.(["app/models.py"], "User"), undefined);
});

test("Rust: from the crate, from above, a type as the last step, other crates", () => {
  const rust = rustModules(project(["src/lib.rs", "src/store.rs", "src/net/mod.rs", "src/net/http.rs"]));
  const from = "src/net/http.rs";
  assert.deepEqual(leads(rust, from, "crate::store", "open"), { kind: "file", path: "src/store.rs", name: "open" });
  assert.deepEqual(leads(rust, from, "super", "Client"), { kind: "file", path: "src/net/mod.rs", name: "Client" });
  // The file around a module knows it by its name, and a function of the same name, too.
  assert.deepEqual(leads(rust, "src/lib.rs", "crate::net", "http"), {
    kind: "file",
    path: "src/net/mod.rs",
    name: "http",
  });
  assert.deepEqual(leads(rust, "src/net/mod.rs", "mod", "http"), { kind: "file", path: from, name: "*" });
  assert.deepEqual(leads(rust, from, "crate::store::Store", "new"), {
    kind: "file",
    path: "src/store.rs",
    name: "Store",
    inside: ["new"],
  });
  assert.deepEqual(leads(rust, from, "crate::a::b", "c"), { kind: "missing" });
  assert.deepEqual(leads(rust, from, "serde::de", "Error"), { kind: "external", package: "serde" });
});

test("Go: the nearest module's packages without their tests; files of one folder know each other", () => {
  const paths = ["main.go", "store/a.go", "store/b.go", "store/a_test.go", "sub/x/y.go"];
  const configs = { "go.mod": "module example.org/app\n", "sub/go.mod": "module example.org/app/sub\n" };
  const go = moduleResolvers(project(paths, configs))("go");
  const store = { kind: "package", paths: ["store/a.go", "store/b.go"], name: "*" };
  assert.deepEqual(leads(go, "main.go", "example.org/app/store"), store);
  const other = { kind: "package", paths: ["sub/x/y.go"], name: "*" };
  assert.deepEqual(leads(go, "main.go", "example.org/app/sub/x"), other);
  assert.deepEqual(leads(go, "main.go", "example.org/app/gone"), { kind: "missing" });
  assert.deepEqual(leads(go, "main.go", "example.org/apple"), { kind: "external", package: "example.org/apple" });
  assert.deepEqual(go.siblings?.("store/a.go"), ["store/a.go", "store/b.go"]);
  assert.equal(go.siblings?.("store/a_test.go").length, 3);
});

test("a language without imports of its own leads nowhere", () => {
  const none = moduleResolvers(project(["a.md"]))("document");
  assert.deepEqual(leads(none, "a.md", "b.md"), { kind: "external", package: "" });
});
