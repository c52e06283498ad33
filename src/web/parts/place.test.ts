import assert from "node:assert/strict";
import { test } from "node:test";
import { placeHref, placeName } from "./place.ts";

const ID = "124cf89f-b950-42d0-8c90-1990b889f0bc";
const SHA = "0123456789abcdef0123456789abcdef01234567";

/** Each kind of thing that dex suggests, its name on the page, and the view that shows it. */
const PLACES: readonly (readonly [string, string, string | undefined])[] = [
  ["file:internal/push.go", "internal/push.go", "/code/internal/push.go?project=%2Fwork%2Fx"],
  ["gap:src/a.ts", "src/a.ts", "/code/src/a.ts?project=%2Fwork%2Fx"],
  ["deprecated:src/a.ts#Old.call", "src/a.ts", "/code/src/a.ts?project=%2Fwork%2Fx"],
  ["decision:2aa1b0f2", "decision 2aa1b0f2", "/decisions?all=1&id=2aa1b0f2&project=%2Fwork%2Fx"],
  [`conversation:claude_code:${ID}`, "claude_code:124cf89f…", `/c/claude_code%3A${ID}`],
  [`claude_code:${ID}#190`, "claude_code:124cf89f…#190", `/c/claude_code%3A${ID}/190`],
  [`${ID}#5`, "124cf89f…#5", `/c/${ID}/5`],
  [`commit:${SHA}`, "0123456789ab", `/timeline?commit=${SHA}&project=%2Fwork%2Fx`],
  ["doc:guide:start.md#first-steps", "guide:start.md#first-steps", "/docs?id=guide%3Astart.md%23first-steps"],
  // Collections whose names are those of kinds.
  ["doc:start.md#x", "doc:start.md#x", "/docs?id=doc%3Astart.md%23x"],
  ["commit:start.md", "commit:start.md", "/docs?id=commit%3Astart.md"],
  ["src/a.ts:12-14", "src/a.ts:12-14", "/code/src/a.ts?project=%2Fwork%2Fx&line=12"],
  ["memory:m1", "memory:m1", undefined],
];

test("a place has a name without its kind, and a link in its own project", () => {
  for (const [place, name, href] of PLACES) {
    assert.deepEqual([placeName(place), placeHref(place, "/work/x")], [name, href], place);
  }
});
