/**
 * Every verb of teams answers what its schema says, on a trial that the verbs themselves make. A forgotten conversation leaves
 * the server, its dumps and its files; the trial leaves nothing behind.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { FAMILIES, OPERATIONS } from "../../../src/operations/registry.ts";
import { renderOutput } from "../../../src/rendering/registry.ts";
import { PostgresLink } from "../../../src/store/postgres/connection.ts";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";
import { foundTeam, TeamHome } from "../../support/team/team.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";
let home: TeamHome;
let other: TeamHome;

before(() => {
  home = new TeamHome();
  other = new TeamHome();
  home.say("here", [{ user: "how do I flush notes?" }, { agent: "call flush" }]);
});
after(() => void home.runFresh("team", "try", "--remove"));

function trial(): { folder: string; port: number; password: string } {
  return JSON.parse(readFileSync(join(home.dexHome, "team/try.json"), "utf8"));
}

function administrator(): string {
  const { port, password } = trial();
  return `postgres://dex_admin:${password}@127.0.0.1:${port}/postgres`;
}

let invitation = "";
const WORDS: Readonly<Record<string, () => { words: string[]; at?: TeamHome }>> = {
  "team try": () => ({ words: [] }),
  "team invite": () => ({ words: ["eve", "--role", "reader"] }),
  "team join": () => ({ words: [invitation], at: other }),
  "team members": () => ({ words: [] }),
  "team role": () => ({ words: ["ada", "reader"] }),
  "team settings": () => ({ words: ["--review-hours", "12"] }),
  "team share": () => ({ words: [home.project, "--now"] }),
  "team review": () => ({ words: ["--check"] }),
  push: () => ({ words: [] }),
  "team index": () => ({ words: [] }),
  "team status": () => ({ words: [] }),
  "team revoke": () => ({ words: ["ben"] }),
  "team audit": () => ({ words: [] }),
  "team purge": () => ({ words: [] }),
  "team gateway": () => ({ words: [administrator()] }),
  "team upgrade": () => ({ words: [administrator(), "--restored"] }),
  "team unshare": () => ({ words: [home.project] }),
  "team leave": () => ({ words: [], at: other }),
  "team create": () => ({ words: [administrator(), "--name", "second", "--as", "zoe"], at: other }),
};

test("every verb of teams is tried", () => {
  assert.deepEqual(Object.keys(WORDS).sort(), Object.keys(FAMILIES.team.verbs).sort());
});

for (const [verb, of] of Object.entries(WORDS)) {
  test(`dex ${verb}`, { skip }, async () => {
    const { words, at = home } = of();
    const answer = at.ok(...verb.split(" "), ...words);
    if (verb === "team invite") invitation = String(answer.invitation);
    const operation = await OPERATIONS[verb]?.();
    assert.deepEqual(operation?.output.parse(answer), answer);
    const text = await renderOutput(verb, answer, { width: 80, color: false, now: Date.now() });
    assert.notEqual(text, JSON.stringify(answer, null, 2));
  });
}

test("the trial listens on this machine alone, and is removed whole", { skip }, async () => {
  const { folder, port } = trial();
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  for (const { address } of addresses.filter(({ internal, family }) => !internal && family === "IPv4")) {
    assert.equal(await answers(address, port), false, address);
  }
  assert.equal(await answers("127.0.0.1", port), true);
  home.ok("team", "try", "--remove");
  assert.ok(!existsSync(folder));
  assert.equal(home.fails("team", "status"), "no_team");
});

test("without a team, no driver is loaded", () => {
  const dist = join(import.meta.dirname, "../../../dist");
  const hasDriver = (file: string): boolean =>
    readFileSync(join(dist, file), "utf8").includes("SASL_SIGNATURE_MISMATCH");
  const chunks = globSync("*.js", { cwd: dist }).filter(hasDriver);
  assert.ok(chunks.length > 0 && !chunks.includes("main.js"), "the driver is in a chunk of its own");
  const files = globSync("*.cjs", { cwd: dist }).filter(hasDriver);
  assert.deepEqual(files, ["postgres.cjs"], "and in a file of its own beside the program of one file");
});

test("forgetting removes a conversation from tables, dumps and files of the server; offline, it waits in a queue", {
  skip,
}, async () => {
  const sentinel = "qzsentinel7391";
  const server = await TestServer.start();
  const ada = foundTeam(server);
  try {
    ada.say("gone", [{ user: `remember ${sentinel}` }, { agent: `${sentinel} noted` }]);
    ada.say("stays", [{ user: "another matter" }]);
    ada.ok("team", "share", ada.project, "--now");
    ada.ok("push");
    const [row] = await server.admin.sql`
      select f.data from dex.frame f join dex.conversation c using (bucket, conv) where c.id = 'gone'`;
    assert.ok(row?.data instanceof Buffer);
    const packed = row.data.subarray(40, 90);
    const inFiles = async (): Promise<boolean> => {
      await server.admin.sql`checkpoint`;
      return globSync(join(server.folder, "data/base/**/*"), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .some((entry) => {
          const bytes = readFileSync(join(entry.parentPath, entry.name));
          return bytes.includes(packed) || bytes.includes(sentinel);
        });
    };
    assert.ok(await inFiles(), "the search finds it while it is there");
    // The server is out of reach.
    ada.throughPort(1);
    const { stderr } = ada.run("forget", "gone", "--yes");
    assert.match(stderr, /next push/);
    assert.equal(ada.ok("team", "status").forgets, 1);
    ada.throughPort(Number(new URL(server.url).port));
    assert.equal(ada.ok("push").forgotten, 1);
    const dump = spawnSync(join(postgresPrograms() ?? "", "pg_dump"), ["-n", "dex", server.url], {
      encoding: "latin1",
      maxBuffer: 1 << 30,
    }).stdout;
    assert.ok(dump.includes("COPY dex.conversation"));
    assert.ok(!dump.includes(sentinel) && !dump.includes(packed.toString("hex")));
    ada.ok("team", "purge");
    assert.equal(await inFiles(), false);
    const link = await PostgresLink.open(
      (JSON.parse(readFileSync(join(ada.dexHome, "team/access.json"), "utf8")) as { url: string }).url,
    );
    const again = await link.call(
      "append",
      "github.com/acme/notes",
      "claude_code",
      "gone",
      "",
      1,
      0,
      Buffer.from("x"),
      true,
      1,
      {},
    );
    await link.close();
    assert.equal(again[0]?.status, "forgotten");
  } finally {
    await server.stop();
  }
});

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
