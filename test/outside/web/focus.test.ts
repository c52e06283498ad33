/** Where the focus is, what a dialog does with it, and what a printer gets. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "../../support/browser/axe.ts";
import { NO_BROWSER, open, settled, theBrowser, visit } from "../../support/browser/web.ts";
import { LONG, type WebScene, webScene } from "../../support/browser/web_scene.ts";
import { WebServer } from "../../support/servers/web.ts";

const options = { skip: NO_BROWSER };
let scene: WebScene;
let server: WebServer;

before(async () => {
  if (NO_BROWSER !== false) return;
  scene = webScene();
  server = await WebServer.start(scene.home);
  await theBrowser();
});
after(() => scene?.home.remove());

const hasFocus = (page: Page, selector: string): Promise<unknown> =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);

test(
  "another view has the focus, a list that was left has it on its row, and the first view leaves it",
  options,
  async () => {
    const { page } = await visit(server);
    await open(page, server, "/conversations");
    await hasFocus(page, "body");
    await page.getByRole("link", { name: "Traces" }).press("Enter");
    await page.waitForURL(/\/traces/);
    await hasFocus(page, "main");
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.waitForURL(/\/conversations/);
    await settled(page);
    await hasFocus(page, "main");
    for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
    await page.waitForURL(/\/c\//);
    await hasFocus(page, "main");
    await page.goBack();
    await hasFocus(page, '[data-row="1"]');
    await page.context().close();
  },
);

test("dialogs pass axe, begin with their first field, and give the focus back", options, async () => {
  const { page } = await visit(server);
  const check = async (opener: string, first: string, close: () => Promise<void>): Promise<void> => {
    await page.getByRole("dialog").waitFor();
    await hasFocus(page, first);
    assert.deepEqual(await violations(page), [], opener);
    await close();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await hasFocus(page, opener);
  };
  const pressEscape = (): Promise<void> => page.keyboard.press("Escape");
  await open(page, server, "/decisions?all=1");
  await page.getByRole("button", { name: "Record a decision" }).press("Enter");
  await check("button.primary", "textarea", pressEscape);
  await page.getByRole("button", { name: "Record a decision" }).press("Enter");
  await check("button.primary", "textarea", () => page.getByRole("button", { name: "Cancel" }).press("Enter"));
  await open(page, server, "/memory");
  await page.getByRole("button", { name: /^Remove: Amounts/ }).press("Enter");
  await check("[aria-label^=Remove]", "footer button", () => page.keyboard.press("Enter"));
  await page.getByRole("button", { name: /^Keys/ }).press("Enter");
  await check(".nav-foot button", "dialog header button", pressEscape);
  await page.context().close();
});

test("an error of a dialog is said in the dialog", options, async () => {
  const { page } = await visit(server);
  await open(page, server, "/decisions");
  await page.getByRole("button", { name: "Record a decision" }).click();
  await page.getByLabel("The decision").fill("Always count twice");
  await page.getByLabel("Files it concerns").fill("../../elsewhere.ts");
  await page.getByRole("button", { name: "Record", exact: true }).click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  await page.context().close();
});

test("a filter of the memory that nothing matches does not say that there is nothing", options, async () => {
  const { page } = await visit(server);
  await open(page, server, "/memory?q=zzzzyx");
  await page.getByText("No pin has these words").waitFor();
  await open(page, server, "/decisions?from=1999-01-01&to=1999-01-02");
  await page.getByText("No decision of these days").waitFor();
  await page.context().close();
});

test("an empty list does not offer the first sync, and an empty file is not an error", options, async () => {
  const { page } = await visit(server);
  await open(page, server, "/conversations?page=999");
  await page.getByText("This page has no conversations").waitFor();
  await page.getByRole("link", { name: "The first page" }).click();
  await page.locator("tbody tr").first().waitFor();
  scene.repo.commit("chore: an empty file", { "src/empty.ts": "" });
  await open(page, server, "/code/src/empty.ts");
  await page.getByText("The file is empty").waitFor();
  await open(page, server, "/code/src/ledger.ts?from=201");
  await page.getByText("The file ends before line 201").waitFor();
  await page.getByRole("link", { name: "The lines before" }).click();
  await page.locator(".range").first().waitFor();
  await page.context().close();
});

test("paper shows every loaded message, and afterwards the page stands where it stood", options, async () => {
  const { page } = await visit(server);
  await open(page, server, `/c/${LONG}/40`);
  const standsAtTop = (): Promise<unknown> =>
    page.waitForFunction(() => {
      const top = document.querySelector('[data-message="40"]')?.getBoundingClientRect().top ?? Number.NaN;
      const bar = document.querySelector(".reader-bar")?.getBoundingClientRect().bottom ?? Number.NaN;
      return Math.abs(top - bar) <= 2;
    });
  await standsAtTop();
  // A browser lays out the paper after this event.
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  const total = scene.home.json<{ message_count: number }>("messages", LONG, "--count", "1").message_count;
  const loaded = Math.min(total, 200);
  await page.waitForFunction((count) => document.querySelectorAll(".printed article").length >= count, loaded);
  for (const name of ["Views", "Prompts"]) assert.equal(await page.getByLabel(name).first().isVisible(), false);
  assert.equal(await page.locator(".printed .cut").count(), loaded < total ? 1 : 0);
  await page.emulateMedia({ media: null });
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await standsAtTop();
  await page.context().close();
});
