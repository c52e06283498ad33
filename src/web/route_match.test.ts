import assert from "node:assert/strict";
import { test } from "node:test";
import { matchRoute } from "./route_match.ts";

const ROUTES = [{ path: "/" }, { path: "/c/:id/:index?" }, { path: "/code/:path*" }, { path: "/traces/:id?" }];

function match(path: string): [string, object] | undefined {
  const found = matchRoute(ROUTES, path);
  return found && [found.route.path, { ...found.params }];
}

test("an address names a route and its parts", () => {
  assert.deepEqual(match("/"), ["/", {}]);
  assert.deepEqual(match("/c/abc"), ["/c/:id/:index?", { id: "abc", index: "" }]);
  assert.deepEqual(match("/c/a%2Fb%23c/12"), ["/c/:id/:index?", { id: "a/b#c", index: "12" }]);
  assert.deepEqual(match("/code/src/web/main.tsx"), ["/code/:path*", { path: "src/web/main.tsx" }]);
  assert.deepEqual(match("/code"), ["/code/:path*", { path: "" }]);
  assert.deepEqual(match("/traces"), ["/traces/:id?", { id: "" }]);
});

test("other addresses have no route", () => {
  for (const path of ["/c", "/c/a/1/2", "/other", "/c/%E0%A4%A", "/codes"]) assert.equal(match(path), undefined, path);
});
