import assert from "node:assert/strict";
import { test } from "node:test";
import { exactlyNamed, namedCollections, versionsNamed } from "./named_collections.ts";

const NAMES = ["undici", "pino", "npm", "flask-guide", "flask-core", "express-session", "docs", "next-functions"];
const named = (query: string) => namedCollections(query, NAMES, (word) => word !== "next");

test("a question names a collection by its name or by that of its product", () => {
  assert.deepEqual(named("Which browsers does Undici support?").collections, ["undici"]);
  assert.deepEqual(named("Does Flask come with a cache?").collections, ["flask-guide", "flask-core"]);
  assert.deepEqual(named("flask-core: is there a cache?").collections, ["flask-core"]);
  assert.deepEqual(named("How does express session sign cookies?").collections, ["express-session"]);
  assert.deepEqual(named("How do I log with pino under npm?").collections, ["pino", "npm"]);
});

test("common words, generic names and parts of other names do not name a collection", () => {
  for (const query of ["What do I do next?", "Where are the docs?", "What is pino-pretty?", "How do I log in?"])
    assert.deepEqual(named(query), { collections: [], rest: query });
  assert.deepEqual(namedCollections("Does pino log?", ["pino"], () => true).collections, []);
});

test("a scope or a version in a name names that collection alone", () => {
  const versions = ["react@18", "react@19", "@trpc/server", "@trpc/client"];
  const asked = (query: string) => exactlyNamed(query, versions) ?? namedCollections(query, versions, () => true);
  assert.deepEqual(asked("react@18: what is a hook?"), { collections: ["react@18"], rest: "what is a hook?" });
  assert.deepEqual(asked("What is a router in @trpc/server?").collections, ["@trpc/server"]);
  assert.deepEqual(asked("What changed from React@18 to react@19?").collections, ["react@18", "react@19"]);
  assert.deepEqual(asked("What is a hook in react?").collections, ["react@18", "react@19"]);
  assert.deepEqual(asked("What is new in react@190?").collections, []);
});

test("a version after the name of a package names the collection of that version", () => {
  const versions = [
    { package: "zod", name: "zod", version: "3.23.8" },
    { package: "zod", name: "zod4", version: "4.1.0" },
    { package: "@acme/kit", name: "kit", version: "1.2.0" },
    { package: "@acme/kit", name: "kit-next", version: "2.0.0" },
  ];
  const asked = (query: string) => versionsNamed(query, versions)?.collections;
  for (const query of ["How do I check an email in zod 3?", "zod v3.23: emails", "zod@3.23.8 emails", "Zod version 3"])
    assert.deepEqual(asked(query), ["zod"], query);
  assert.deepEqual(asked("What changed from zod 3 to zod 4?"), ["zod", "zod4"]);
  assert.deepEqual(asked("How do I open a kit 2.x?"), ["kit-next"]);
  for (const query of ["zod 30", "zod 3rd party", "zod 3.2", "zod 5", "my-zod 3", "How do I make zod strict?"])
    assert.equal(asked(query), undefined, query);
});

test("only a name that says where to look is left out of the question", () => {
  assert.equal(named("pino: how do I redact keys?").rest, "how do I redact keys?");
  assert.equal(named("How do I redact keys in pino?").rest, "How do I redact keys ?");
  assert.equal(named("What does npm ci remove?").rest, "What does npm ci remove?");
  assert.equal(named("What is pino?").rest, "What is pino?");
});
