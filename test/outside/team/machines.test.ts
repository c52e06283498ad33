/** Several machines of one member, sessions of programs, and TLS, with the built program and a real server. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { PostgresLink } from "../../../src/store/postgres/connection.ts";
import { writeDialogue } from "../../support/histories/dialogue.ts";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";
import { foundTeam, storedLines, TeamHome } from "../../support/team/team.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";
let server: TestServer;
let ada: TeamHome;
let second: TeamHome;

before(async () => {
  if (skip) return;
  server = await TestServer.start();
  ada = foundTeam(server);
  second = new TeamHome();
  const { invitation } = ada.ok("team", "invite");
  second.ok("team", "join", String(invitation), "--machine", "desktop");
});
after(async () => {
  if (skip) return;
  await server.stop();
});

test("a conversation that diverged on two machines of a member becomes a branch, and both go on", {
  skip,
}, async () => {
  ada.ok("team", "share", ada.project, "--now");
  second.ok("team", "share", second.project, "--now");
  const common = [{ user: "why do notes vanish?" }, { agent: "the cache is never flushed" }];
  ada.say("same", [...common, { user: "flush it on the laptop" }]);
  second.say("same", [...common, { user: "flush it on the desktop" }]);
  assert.equal(ada.ok("push").conversations, 1);
  assert.equal(second.ok("push").conversations, 1);
  const branchOf = async () => (await storedLines(server)).keys().toArray().sort();
  const [main, branch, ...others] = await branchOf();
  assert.deepEqual([main, others], ["ada/same", []]);
  assert.match(String(branch), /^ada\/same@machine-\d+$/);
  ada.say("same", [...common, { user: "flush it on the laptop" }, { agent: "flushed at home" }]);
  second.say("same", [...common, { user: "flush it on the desktop" }, { agent: "flushed at work" }]);
  assert.equal(second.ok("push").conversations, 1);
  assert.equal(ada.ok("push").conversations, 1);
  const stored = await storedLines(server);
  assert.deepEqual(await branchOf(), [main, branch]);
  const [laptop, desktop] = [main, branch].map((key) => (stored.get(String(key)) ?? []).join("\n"));
  assert.ok(laptop?.includes("flushed at home") && !laptop.includes("desktop"));
  assert.ok(desktop?.includes("flushed at work") && !desktop.includes("laptop"));
  assert.equal(Number(ada.ok("push").conversations) + Number(second.ok("push").conversations), 0);
});

test("sessions of programs stay here, also where dex indexes them", { skip }, async () => {
  ada.ok("config", "set", "sync.headless", "true");
  const program = [{ user: "run by a program" }, { agent: "a report for the program" }];
  writeDialogue(ada.home, "program", program, { cwd: ada.project, entrypoint: "sdk-cli" });
  ada.say("person", [{ user: "asked by a person" }]);
  assert.equal(ada.ok("push").conversations, 1);
  assert.equal(ada.ok("team", "review").headless, 1);
  // dex itself has it.
  assert.match(ada.run("search", "report for the program", "--local").stdout, /report/);
  const stored = await storedLines(server);
  assert.ok(stored.has("ada/person") && !stored.has("ada/program"));
  assert.ok(![...stored.values()].flat().some((line) => line.includes("report for the program")));
});

test("a pattern that backtracks without end is refused", { skip }, () => {
  assert.equal(ada.fails("team", "settings", "--pattern", "(a+)+$"), "bad_value");
  assert.deepEqual(ada.ok("team", "settings").patterns, []);
});

test("TLS: a certificate of the team's own issuer is accepted, and no other", { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "dex-tls-"));
  const openssl = (...args: string[]): void => {
    const { status, stderr } = spawnSync("openssl", args, { cwd: folder, encoding: "utf8" });
    assert.equal(status, 0, stderr);
  };
  const issue = (name: string, subject: string): void => {
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", "/CN=db");
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${subject}\n`);
    const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", `${name}.ext`];
    openssl("x509", "-req", "-in", `${name}.csr`, "-out", `${name}.pem`, ...signed);
  };
  const serve = async (name: string): Promise<void> => {
    const { uid, gid } = statSync(server.folder);
    for (const file of [`${name}.key`, `${name}.pem`]) chownSync(join(folder, file), uid, gid);
    await server.admin.sql.unsafe(`alter system set ssl_cert_file = '${join(folder, `${name}.pem`)}'`);
    await server.admin.sql.unsafe(`alter system set ssl_key_file = '${join(folder, `${name}.key`)}'`);
    await server.admin.sql.unsafe("alter system set ssl = on");
    await server.admin.sql`select pg_reload_conf()`;
  };
  const connect = async (query: string): Promise<string> => {
    const link = await PostgresLink.open(`${server.url}${query}`);
    try {
      const rows = await link.sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
      return String(rows[0]?.ssl);
    } catch (error) {
      const { serverFailure } = await import("../../../src/store/postgres/failure.ts");
      return (serverFailure(error) as { code?: string }).code ?? String(error);
    } finally {
      await link.close();
    }
  };
  /** The server loads a new certificate a moment after the signal. */
  const until = async (query: string, expected: string): Promise<void> => {
    let answer = "";
    for (let tries = 0; tries < 200 && answer !== expected; tries += 1) answer = await connect(query);
    assert.equal(answer, expected);
  };
  try {
    spawnSync("chmod", ["755", folder]);
    openssl(
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      "ca.key",
      "-out",
      "ca.pem",
      "-days",
      "2",
      "-subj",
      "/CN=acme",
    );
    issue("right", "IP:127.0.0.1");
    issue("wrong", "DNS:db.example.com");
    const trusted = `?sslmode=verify-full&sslrootcert=${join(folder, "ca.pem")}`;
    await serve("right");
    await until(trusted, "true");
    assert.equal(await connect("?sslmode=require"), "team_insecure", "the issuer is unknown");
    await serve("wrong");
    await until(trusted, "team_insecure");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
