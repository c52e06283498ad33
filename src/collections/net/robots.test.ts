import assert from "node:assert/strict";
import { test } from "node:test";
import { fits, parseRobots } from "./robots.ts";

test("the group named for dex is meant, else that for all", () => {
  const text =
    "User-agent: *\nDisallow: /\n\nUser-agent: other\nUser-agent: dex\nDisallow: /private # not this\nAllow: /private/open\nCrawl-delay: 3\nSitemap: https://a.example/s.xml\n";
  const robots = parseRobots(text);
  assert.equal(robots.allows("/docs"), true);
  assert.equal(robots.allows("/private/x"), false);
  assert.equal(robots.allows("/private/open/x"), true);
  assert.equal(robots.delay, 3);
  assert.deepEqual(robots.sitemaps, ["https://a.example/s.xml"]);
  assert.equal(parseRobots(text, "stranger").allows("/docs"), false);
});

test("an empty rule allows, a huge delay is bounded", () => {
  const robots = parseRobots("user-agent: *\r\ndisallow:\r\ncrawl-delay: 99999\r\n");
  assert.equal(robots.allows("/x"), true);
  assert.equal(robots.delay, 10);
});

test("stars and ends", () => {
  assert.equal(fits("/*.pdf$", "/a/b.pdf"), true);
  assert.equal(fits("/*.pdf$", "/a/b.pdf?x"), false);
  assert.equal(fits("/a*c", "/a/b/c/d"), true);
  assert.equal(fits("/a$", "/a"), true);
  assert.equal(fits("/a$", "/ab"), false);
  assert.equal(fits(`/${"*a".repeat(200)}b`, `/${"a".repeat(5000)}`), false);
});
