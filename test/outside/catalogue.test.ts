/** Documentation of real packages: the registry of npm's own configuration, two versions of each next to each other. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { errorMessage } from "../../src/kernel/errors.ts";
import { TestHome } from "../support/program/dex.ts";

/** Variables that a process needs to reach the network of this machine. */
const NETWORK = [
  "NODE_EXTRA_CA_CERTS",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "https_proxy",
  "http_proxy",
  "no_proxy",
];
const vars = Object.fromEntries(NETWORK.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
const home = new TestHome({ vars });

/** The project's lock file has the older one. Packages that ship their documentation, so that no repository is needed. */
const PACKAGES = [
  { name: "fastify", older: "4.28.1", newer: "5.2.0", asks: "How do I limit the size of the request body?" },
  { name: "pino", older: "8.21.0", newer: "9.14.0", asks: "How do I redact sensitive information?" },
  { name: "undici", older: "6.21.0", newer: "7.2.0", asks: "How do I mock a request?" },
];

interface Listed {
  collections: { name: string; version?: string; documents: number; chosen?: { reason: string } }[];
}

function registryAnswers(): string | undefined {
  try {
    const options = { encoding: "utf8", stdio: "pipe", timeout: 60_000 } as const;
    const registry = execFileSync("npm", ["config", "get", "registry"], options).trim();
    execFileSync("npm", ["view", "pino@9.14.0", "version"], options);
    const cafile = execFileSync("npm", ["config", "get", "cafile"], options).trim();
    const authorities = cafile === "" || cafile === "null" ? "" : `cafile=${cafile}\n`;
    writeFileSync(join(home.home, ".npmrc"), `registry=${registry}\n${authorities}`);
    return undefined;
  } catch (error) {
    return `the registry does not answer: ${errorMessage(error).split("\n")[0]}`;
  }
}

test("real packages at two versions: the lock file decides which one is searched", (context) => {
  const reason = registryAnswers();
  if (reason !== undefined) return context.skip(reason);
  const project = join(home.home, "project");
  mkdirSync(project);
  const locked = PACKAGES.map(({ name, older }) => [`node_modules/${name}`, { version: older }]);
  const lock = { name: "project", lockfileVersion: 3, packages: { "": {}, ...Object.fromEntries(locked) } };
  writeFileSync(join(project, "package-lock.json"), JSON.stringify(lock));
  writeFileSync(join(project, "package.json"), '{ "name": "project" }');
  home.cwd = project;
  for (const { name, older, newer, asks } of PACKAGES) {
    const added = home.runFresh("docs", "add", name);
    assert.equal(added.status, 0, added.stdout + added.stderr);
    assert.match(added.stderr, new RegExp(`package-lock\\.json has ${name} ${older}, so dex takes that version`));

    assert.equal(home.runFresh("docs", "add", `${name}@${newer}`).status, 0);
    const { collections } = home.json<Listed>("docs", "list");
    const own = collections.filter((each) => each.name.startsWith(`${name}@`));
    assert.deepEqual(
      own.map(({ version, chosen }) => [version, chosen?.reason]),
      [
        [older, `package-lock.json has ${name} ${older}.`],
        [newer, undefined],
      ],
      name,
    );
    for (const { documents } of own) assert.ok(documents > 10, `${name} has ${documents} documents`);
    const asked = (collection: string): string[] =>
      home
        .json<{ sources: { collection: string }[] }>("ask", asks, "-c", collection, "--no-model")
        .sources.map((source) => source.collection);
    assert.deepEqual([...new Set(asked(name))], [`${name}@${older}`], asks);
    assert.deepEqual([...new Set(asked(`${name}@${newer}`))], [`${name}@${newer}`], asks);
  }
});

test("a range takes its highest version; a version that does not exist is named", (context) => {
  const reason = registryAnswers();
  if (reason !== undefined) return context.skip(reason);
  assert.equal(home.runFresh("docs", "add", "pino@7").status, 0);
  const { collections } = home.json<Listed>("docs", "list");
  assert.match(collections.find(({ name }) => name === "pino@7")?.version ?? "", /^7\.11\.\d+$/);
  const missing = home.runFresh("docs", "add", "pino@997");
  assert.notEqual(missing.status, 0);
  assert.match(missing.stderr, /pino/);
});
