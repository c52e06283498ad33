import assert from "node:assert/strict";
import { test } from "node:test";
import { guessRoot, pathInProject } from "./placing.ts";

test("the root is the folder that is named like the project, else the folder of the conversation", () => {
  assert.equal(guessRoot("~/src/notes/packages/db", "github.com/acme/notes"), "~/src/notes");
  assert.equal(guessRoot("~/notes/Notes/db", "github.com/acme/notes"), "~/notes/Notes");
  assert.equal(guessRoot("/srv/checkout", "github.com/acme/notes"), "/srv/checkout");
  assert.equal(guessRoot("D:\\src\\notes\\db", "github.com/acme/notes"), "D:/src/notes");
});

test("paths of the owner's machine begin at the root of the project, wherever they are spelled from", () => {
  const place = { folder: "~/notes/packages/db", root: "~/notes" };
  for (const [path, expected] of [
    ["~/notes/src/a.ts", "src/a.ts"],
    ["src/pool.ts", "packages/db/src/pool.ts"],
    ["./src/pool.ts", "packages/db/src/pool.ts"],
    ["../../README.md", "README.md"],
    ["~/notes-2/src/a.ts", "~/notes-2/src/a.ts"],
    ["../../../other/a.ts", "../../../other/a.ts"],
    ["/etc/hosts", "/etc/hosts"],
    ["~/notes", "~/notes"],
  ] as const)
    assert.equal(pathInProject(path, place), expected, path);
  const windows = { folder: "D:\\src\\notes", root: "D:\\src\\notes" };
  assert.equal(pathInProject("D:\\src\\notes\\src\\a.ts", windows), "src/a.ts");
  assert.equal(pathInProject("src\\a.ts", windows), "src/a.ts");
});
