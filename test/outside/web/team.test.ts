/** Members of a team who have the same conversation: each opens their own, and names that of another by its owner. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { NO_BROWSER, open, visit } from "../../support/browser/web.ts";
import type { Turn } from "../../support/histories/dialogue.ts";
import { WebServer } from "../../support/servers/web.ts";
import { postgresPrograms, TestServer } from "../../support/team/postgres.ts";
import { foundTeam, joinTeam, type TeamHome } from "../../support/team/team.ts";

const skip = postgresPrograms() ? false : "PostgreSQL is not installed";
const SAME = "cccc0001-0000-4000-8000-000000000001";
const START: Turn[] = [{ user: "How do we dry the sorrel?" }, { agent: "In the shade." }];
let server: TestServer;
let ada: TeamHome;
let ben: TeamHome;
let cyd: TeamHome;

before(async () => {
  if (skip !== false) return;
  server = await TestServer.start();
  ada = foundTeam(server);
  ben = joinTeam(ada, "ben");
  cyd = joinTeam(ada, "cyd", "reader");
  for (const [home, words] of [
    [ada, "ada dries sorrel with basil"],
    [ben, "ben dries sorrel with thyme"],
  ] as const) {
    home.say(SAME, [...START, { user: words }]);
    home.ok("sync");
    home.ok("team", "share", home.project, "--now");
    home.ok("push", "--wait");
  }
});
after(() => server?.stop());

interface Results {
  results: { address: string; owner: string; message_index: number }[];
}

function addresses(home: TeamHome, query: string): Record<string, string> {
  const { results } = home.ok("search", query) as unknown as Results;
  return Object.fromEntries(results.map(({ owner, address }) => [owner, address]));
}

function lastWords(home: TeamHome, address: string): string {
  return home.run("read", `${address}#2`).stdout;
}

test("an id means this home's own conversation; every address of a search opens its result", { skip }, () => {
  for (const [home, own, other] of [
    [ada, "basil", "thyme"],
    [ben, "thyme", "basil"],
  ] as const) {
    assert.match(lastWords(home, SAME), new RegExp(own));
    assert.match(lastWords(home, SAME.slice(0, 8)), new RegExp(own));
    const found = addresses(home, "sorrel");
    assert.deepEqual(Object.keys(found).sort(), ["ada", "ben"]);
    for (const [owner, address] of Object.entries(found)) assert.match(lastWords(home, address), new RegExp(owner));
    assert.match(home.run("ask", `who dries sorrel with ${other}?`).stdout, new RegExp(other));
  }
});

test("a member who has neither sees both addresses", { skip }, () => {
  assert.equal(cyd.fails("show", SAME), "ambiguous_id");
  const { stderr } = cyd.run("show", SAME);
  for (const owner of ["ada", "ben"]) {
    const address = `claude_code:${SAME}@${owner}`;
    assert.ok(stderr.includes(address), stderr);
    assert.match(lastWords(cyd, address), new RegExp(owner));
  }
  assert.equal(cyd.fails("show", `${SAME}@zoe`), "unknown_id");
  assert.equal(cyd.fails("forget", `${SAME}@ben`, "--yes"), "team_role");
});

test("the page names the owner, and leads to what was found", { skip: skip || NO_BROWSER }, async () => {
  const web = await WebServer.start(ada);
  const { page } = await visit(web);
  await open(page, web, "/?q=thyme");
  const row = page.locator(".result").filter({ hasText: "shared by ben on ben-laptop" });
  await row.getByRole("link").click();
  await page.locator(".reader").getByText("ben dries sorrel with thyme").first().waitFor();
  await page.locator(".reader-head").getByText("shared by ben on ben-laptop").waitFor();
  await open(page, web, `/c/${SAME}`);
  await page.locator(".reader").getByText("ada dries sorrel with basil").first().waitFor();
  assert.equal(await page.getByText("shared by").count(), 0);
  await web.end();
});
