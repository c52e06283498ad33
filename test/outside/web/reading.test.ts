/** The way around the page: links to files, names of projects, days of the person, a narrow screen. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { delayFrames, NO_BROWSER, open, settled, theBrowser, visit } from "../../support/browser/web.ts";
import { LONG, NEEDLE, type WebScene, webScene } from "../../support/browser/web_scene.ts";
import { writeDialogue } from "../../support/histories/dialogue.ts";
import { WebServer } from "../../support/servers/web.ts";

const options = { skip: NO_BROWSER };
const LINKS = "abababab-0000-4000-8000-000000000001";
const DAY_MS = 86_400_000;
let scene: WebScene;
let server: WebServer;

before(async () => {
  if (NO_BROWSER !== false) return;
  scene = webScene();
  const { home, repo } = scene;
  const links = `See [the ledger](src/ledger.ts#L2), [also](${repo.root}/src/ledger.ts) and [hosts](/etc/hosts).`;
  // An evening in Los Angeles, and the morning after it.
  const start = Date.parse("2026-03-02T06:30:00Z");
  const long = `saltpetre ${"a line\n".repeat(20_000)} saltpetre`;
  writeDialogue(home.home, LINKS.replace(/1$/, "9"), [{ command: "cat log", output: long }], { cwd: repo.root });
  writeDialogue(home.home, LINKS, [{ user: "Where is it rounded?" }, { agent: links }], { start, cwd: repo.root });
  writeDialogue(home.home, "agent-ab12", [{ user: "Look for marmalade" }], { parent: LINKS, cwd: repo.root });
  for (const [at, cwd] of ["/srv/one/rates", "/srv/two/rates"].entries()) {
    const id = `acacacac-0000-4000-8000-00000000000${at}`;
    writeDialogue(home.home, id, [{ user: `Nutmeg of ${cwd}` }], { start: start + (at + 1) * DAY_MS, cwd });
  }
  mkdirSync(join(home.home, "guides/more"));
  const page = "# More\n\n[Half cents](../ledger.md#half-cents), [the script](../run.sh) ![a chart](chart.png)\n";
  writeFileSync(join(home.home, "guides/more/page.md"), page);
  for (const args of [["sync"], ["docs", "sync"]]) assert.equal(home.run(...args).status, 0);
  server = await WebServer.start(home);
  await theBrowser();
});

test("links to files open them; a link that no view shows says its path; images are words", options, async () => {
  const { page } = await visit(server);
  await open(page, server, `/c/${LINKS}`);
  const link = page.getByRole("link", { name: "the ledger" });
  assert.match((await link.getAttribute("href")) ?? "", /^\/code\/src\/ledger\.ts\?project=.*&line=2&by=/);
  assert.match(
    (await page.getByRole("link", { name: "also" }).getAttribute("href")) ?? "",
    /^\/code\/src\/ledger\.ts\?/,
  );
  await page.getByText("hosts (/etc/hosts)").waitFor();
  await link.click();
  await page.locator("#L2").waitFor();

  await open(page, server, `/docs?id=${encodeURIComponent("guides:more/page.md")}`);
  await page.getByText("the script (../run.sh)").waitFor();
  await page.getByText("[image: a chart]").waitFor();
  await page.getByRole("link", { name: "Half cents" }).last().click();
  await page.getByText("Up, always.").waitFor();
  assert.equal(new URL(page.url()).searchParams.get("id"), "guides:ledger.md#half-cents");
  await page.context().close();
});

test("the address of a folder leads to its map", options, async () => {
  const { page } = await visit(server);
  await open(page, server, "/code/src");
  await page.waitForURL(/\/code\?in=src$/);
  await page.getByRole("link", { name: "src/ledger.ts" }).first().waitFor();
  await page.context().close();
});

test("every letter after f is found, and Ctrl-F and Escape work wherever the focus is", options, async () => {
  const { page } = await visit(server);
  await delayFrames(page, 200);
  await open(page, server, `/c/${LONG}/0`);
  await page.getByText("Question 0 about").first().waitFor();
  await page.keyboard.press("f");
  await page.keyboard.type(NEEDLE);
  const field = page.getByRole("searchbox", { name: "Find in this conversation" });
  assert.equal(await field.inputValue(), NEEDLE);
  await field.blur();
  await page.keyboard.press("Control+f");
  assert.equal(await field.evaluate((element) => element === document.activeElement), true);
  await field.blur();
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await page.context().close();
});

test("find says so when a hit is in text that is not shown", options, async () => {
  const { page } = await visit(server);
  await open(page, server, `/c/${LINKS.replace(/1$/, "9")}`);
  await page.keyboard.press("f");
  await page.keyboard.type("saltpetre");
  const status = page.getByRole("status");
  await status.filter({ hasText: /^1 of 2$/ }).waitFor();
  await page.keyboard.press("Enter");
  await status.filter({ hasText: "2 of 2, in text that is not shown" }).waitFor();
  await page.context().close();
});

test("days are those of the person, in every time zone", options, async () => {
  const { page } = await visit(server, { timezoneId: "America/Los_Angeles", locale: "en-US" });
  await open(page, server, "/decisions?from=2026-03-02&to=2026-03-02");
  await page.getByRole("link", { name: "All times, not only Mar 2, 2026" }).waitFor();
  await open(page, server, "/timeline?from=2026-03-01&to=2026-03-01");
  await page.getByText(/event.* from Mar 1, 2026 to Mar 1, 2026/).waitFor();
  await page.getByRole("heading", { name: "Mar 1, 2026" }).waitFor();
  await page.getByRole("link", { name: "Where is it rounded?" }).waitFor();
  await page.context().close();
});

test("unlisted conversations are counted, and projects of the same name differ by their folders", options, async () => {
  const { page } = await visit(server);
  const { home } = scene;
  const { total, hidden_subagents, hidden_abandoned } = home.json<Record<string, number>>("list");
  const { total_conversations } = home.json<{ total_conversations: number }>("stats");
  assert.equal(total_conversations, (total ?? 0) + (hidden_subagents ?? 0) + (hidden_abandoned ?? 0));
  await open(page, server, "/conversations");
  await page.getByText(`${total} conversations, without ${hidden_subagents} of subagents`).waitFor();
  await page.getByRole("checkbox", { name: "with subagents" }).check();
  await page.getByRole("link", { name: "Look for marmalade" }).waitFor();
  for (const name of ["one/rates (1)", "two/rates (1)"]) {
    await page.getByLabel("Project").locator("option", { hasText: name }).waitFor({ state: "attached" });
  }
  await open(page, server, "/activity");
  await page.getByRole("link", { name: "one/rates" }).waitFor();
  await open(page, server, "/?q=nutmeg");
  await page
    .getByRole("complementary")
    .getByRole("link", { name: /^two\/rates/ })
    .waitFor();
  await page.context().close();
});

test("a filter that nothing matches does not say that there is nothing", options, async () => {
  const { page } = await visit(server);
  await open(page, server, "/traces?q=zzzz");
  await page.getByText(/^None of the latest \d+ traces matches$/).waitFor();
  await open(page, server, "/?q=zzzzyx");
  await page.getByText("Fewer or other words may help.").waitFor();
  await open(page, server, "/?q=zzzzyx&source=codex");
  await page.getByText("Fewer or other words may help, or a search without the filters.").waitFor();
  await page.context().close();
});

test("on a narrow screen, Escape closes the menu, and nothing to press or read is out of sight", options, async () => {
  const { page } = await visit(server, { viewport: { width: 390, height: 844 } });
  const menu = page.getByRole("button", { name: "Menu" });
  await menu.click();
  await page.keyboard.press("Escape");
  assert.equal(await menu.getAttribute("aria-expanded"), "false");
  assert.equal(await menu.evaluate((element) => element === document.activeElement), true);
  await open(page, server, `/c/${LONG}/40`);
  for (const name of ["Find", "Focused", "Pick", "Prompts", "Copy link"]) {
    const box = await page.getByRole("button", { name, exact: true }).boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 390, `${name}: ${JSON.stringify(box)}`);
  }
  await open(page, server, "/activity");
  await settled(page);
  const { days } = scene.home.json<{ days: { day: string }[] }>("activity");
  const box = await page.locator(`[data-day="${days.at(-1)?.day}"]`).boundingBox();
  assert.ok(box && box.x >= 0 && box.x + box.width <= 390, JSON.stringify(box));
  await page.context().close();
});
