import assert from "node:assert/strict";
import { test } from "node:test";
import { repositoryAddress } from "./place.ts";
import { isTranslation, selectDocuments } from "./selection.ts";

const chosen = (files: string[], folders = {}): string[] => [...selectDocuments(files, folders).values()];

test("documentation is in folders with the usual names, without tests, examples, blogs and translations", () => {
  const files = [
    "README.md",
    "docs/guide.md",
    "docs/zh-CN/guide.md",
    "docs/guide.fr.md",
    "docs/img/logo.png",
    "docs/examples/demo.md",
    "website/docs/api.mdx",
    "website/blog/docs/news.md",
    "test/docs/fixture.md",
    "a/b/c/d/docs/deep.md",
    "src/docs.md",
    ".github/docs/x.md",
  ];
  assert.deepEqual(chosen(files), ["docs/guide.md", "website/docs/api.mdx"]);
});

test("in a repository of several packages, the package's own folder comes first and no other package counts", () => {
  const files = ["docs/all.md", "packages/one/docs/one.md", "packages/two/docs/two.md", "packages/docs/shared.md"];
  assert.deepEqual(chosen(files, { directory: "packages/one" }), ["packages/one/docs/one.md"]);
  assert.deepEqual(chosen(files, { directory: "packages/three" }), ["docs/all.md", "packages/docs/shared.md"]);
});

test("named folders are taken whole, with paths relative to them", () => {
  const files = ["src/content/learn/state.md", "src/content/blog/x.md", "src/other.md"];
  assert.deepEqual(
    [...selectDocuments(files, { paths: ["src/content"] })],
    [["learn/state.md", "src/content/learn/state.md"]],
  );
  assert.deepEqual([...selectDocuments(files, { paths: [""] })].length, 2);
});

test("a folder or the end of a name shows a translation", () => {
  for (const path of ["ja/a.md", "docs/pt-br/a.md", "README.zh-CN.md", "readme_ko.md"])
    assert.ok(isTranslation(path), path);
  for (const path of ["en/a.md", "docs/js/a.md", "docs/italic.md", "README.md", "api/react.md"]) {
    assert.ok(!isTranslation(path), path);
  }
});

test("a package's repository is asked over https, and never a local one", () => {
  const limits = { allowPrivate: false } as Parameters<typeof repositoryAddress>[1]["limits"];
  const address = (stated: string): string | undefined => repositoryAddress(stated, { limits });
  for (const stated of [
    "zoo/keeper",
    "github:zoo/keeper",
    "git+https://github.com/zoo/keeper.git#main",
    "git://github.com/zoo/keeper.git",
    "git+ssh://git@github.com/zoo/keeper.git",
    "git@github.com:zoo/keeper.git",
    "http://github.com/zoo/keeper",
    "https://github.com/zoo/keeper/tree/main/packages/one",
  ]) {
    assert.equal(address(stated)?.replace(/\.git$/, ""), "https://github.com/zoo/keeper", stated);
  }
  for (const stated of [
    "git+file:///home/me/private",
    "file:///etc",
    "/home/me",
    "../other",
    "https://user:secret@example.com/x",
    "ext::sh -c id",
    "",
  ]) {
    assert.equal(address(stated), undefined, stated);
  }
});
