/** The page while the world changes under it: conversations that grow or are forgotten, a server that dies and returns. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { NO_BROWSER, open, settled, theBrowser, visit } from "../../support/browser/web.ts";
import { type Turn, writeDialogue } from "../../support/histories/dialogue.ts";
import { TestHome } from "../../support/program/dex.ts";
import { WebServer } from "../../support/servers/web.ts";

const options = { skip: NO_BROWSER };
const GROWING = "cdcdcdcd-0000-4000-8000-000000000001";
const FORGOTTEN = "efefefef-0000-4000-8000-000000000002";
const BUSY = "bebebebe-0000-4000-8000-000000000004";
const ARABIC = "abababab-0000-4000-8000-000000000003";
const turns: Turn[] = [{ user: "Stir the semolina slowly-slowly" }, { agent: "It is stirred." }];
let home: TestHome;
let server: WebServer;

before(async () => {
  if (NO_BROWSER !== false) return;
  home = new TestHome();
  writeDialogue(home.home, GROWING, turns);
  writeDialogue(home.home, FORGOTTEN, [{ user: "Where is the quince?" }, { agent: `In the pantry, see ${GROWING}.` }]);
  const arabic = "لماذا تفشل الاختبارات في خادم التكامل المستمر؟ راجع الملف src/main.ts من فضلك";
  writeDialogue(home.home, ARABIC, [{ user: arabic }, { agent: "1. أضف المتغير\n2. أعد التشغيل" }]);
  assert.equal(home.run("sync").status, 0);
  server = await WebServer.start(home);
  await theBrowser();
});

test("words with signs are searched for and marked; a pasted id leads to its conversation", options, async () => {
  const { page, complaints } = await visit(server);
  await open(page, server, "/?q=slowly-slowly");
  assert.deepEqual(await page.locator(".snippet mark").allTextContents(), ["slowly-slowly"]);
  await open(page, server, `/?q=${GROWING}`);
  assert.deepEqual(await page.locator(".snippet mark").allTextContents(), [GROWING]);
  for (const pasted of [GROWING, `${GROWING.slice(0, 8)}#1`, `${server.origin}/c/${GROWING}/1`]) {
    await open(page, server, `/?q=${encodeURIComponent(pasted)}`);
    const link = page.locator(".pasted a");
    await link.waitFor();
    assert.match((await link.getAttribute("href")) ?? "", new RegExp(`^/c/${GROWING}`));
  }
  assert.deepEqual(complaints, []);
});

test("each kind of a result is counted by itself, and a query without words gives no error", options, async () => {
  const { page } = await visit(server);
  await open(page, server, "/?q=semolina");
  assert.equal(await page.locator(".result-count").textContent(), "1 conversation with the word");
  await open(page, server, "/?q=%22");
  await page.getByText("There is no word to search for yet").waitFor();
});

test("a text runs in the direction of its first letter", options, async () => {
  const { page } = await visit(server);
  await open(page, server, `/c/${ARABIC}`);
  const direction = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).direction);
  for (const selector of [".reader-title", ".prose p", ".prose ol"]) assert.equal(await direction(selector), "rtl");
  await open(page, server, `/c/${GROWING}`);
  for (const selector of [".reader-title", ".prose p"]) assert.equal(await direction(selector), "ltr");
});

test("a conversation opened by the beginning of its id grows, too", options, async () => {
  const { page } = await visit(server);
  await open(page, server, `/c/${GROWING.slice(0, 8)}`);
  turns.push({ user: "And now the cardamom" });
  writeDialogue(home.home, GROWING, turns);
  await page.getByText("And now the cardamom").first().waitFor();
});

test("a forgotten conversation disappears from every tab", options, async () => {
  const { page } = await visit(server);
  await open(page, server, `/c/${FORGOTTEN}`);
  const list = await page.context().newPage();
  await open(list, server, "/conversations");
  await list.getByText("Where is the quince?").waitFor();
  assert.equal(home.run("forget", FORGOTTEN, "--yes").status, 0);
  await page.getByText("There is no conversation").waitFor();
  assert.equal(await page.getByText("quince").count(), 0);
  await list.getByText("Where is the quince?").waitFor({ state: "detached" });
});

test("changes that come faster than answers do not keep a view from its answer", options, async () => {
  const { page } = await visit(server);
  await open(page, server, "/settings");
  const aborted: string[] = [];
  page.on("requestfailed", (request) => aborted.push(request.url()));
  let answered = 0;
  // Longer than the page waits before it asks again.
  await page.route("**/api/index", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 4000));
    await route.continue();
    answered += 1;
  });
  await page.getByRole("link", { name: "Conversations", exact: true }).click();
  const spoons: Turn[] = [];
  while (answered < 2) {
    spoons.push({ user: `And now spoon ${spoons.length}` });
    writeDialogue(home.home, BUSY, spoons);
    await page.waitForTimeout(300);
  }
  assert.deepEqual(aborted, []);
  await page.getByText("Stir the semolina").first().waitFor();
  await page.context().close();
});

test("ten tabs work at once and hear of changes, also when the first of them is closed", options, async () => {
  const { page } = await visit(server);
  await open(page, server, `/c/${GROWING}`);
  const others = [];
  for (let at = 0; at < 9; at += 1) {
    const tab = await page.context().newPage();
    await open(tab, server, `/c/${GROWING}`);
    others.push(tab);
  }
  for (const [said, tabs] of [
    ["And now the sumac", [page, ...others]],
    ["And now the saffron", others],
  ] as const) {
    turns.push({ user: said });
    writeDialogue(home.home, GROWING, turns);
    for (const tab of tabs) await tab.getByText(said).first().waitFor();
    await page.close();
  }
  await others[0]?.context().close();
});

test("a view whose files take long shows that it is loading", options, async () => {
  const { page } = await visit(server);
  const held = Promise.withResolvers<void>();
  await page.route("**/assets/**", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "Activity", exact: true }).click();
  await page.locator("main .bone").first().waitFor();
  held.resolve();
  await page.getByRole("heading", { name: "Activity" }).waitFor();
  await page.context().close();
});

test("a view that could not be loaded, and a page with an old token, recover with the server", options, async () => {
  const own = await WebServer.start(home);
  const { page } = await visit(own);
  own.process.kill("SIGKILL");
  await page.getByText("The server does not answer.").first().waitFor();
  await page.getByRole("link", { name: "Conversations", exact: true }).click();
  await page.getByText("The page could not load this view.").waitFor();
  const again = await WebServer.start(home, Number(new URL(own.origin).port));
  await page.getByRole("dialog").waitFor();
  // Another tab is opened with the new link.
  const other = await page.context().newPage();
  await other.goto(again.address);
  await settled(other);
  await page.getByRole("heading", { name: "Conversations" }).waitFor();
  await page.getByText("Stir the semolina").first().waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await again.end();
});

test(
  "the link of an earlier start takes the token of no tab, and a pasted link must be the right one",
  options,
  async () => {
    const { page } = await visit(server);
    const kept = (): Promise<string | null> => page.evaluate(() => localStorage.getItem("dex-token"));
    assert.equal(await kept(), server.token);
    const old = await page.context().newPage();
    await old.goto(`${server.origin}/conversations#token=${"x".repeat(server.token.length)}`);
    await old.getByText("Stir the semolina").first().waitFor();
    assert.equal(old.url(), `${server.origin}/conversations`);
    assert.equal(await kept(), server.token);
    await page.reload();
    await page.getByText("Stir the semolina").first().waitFor();

    await page.evaluate(() => localStorage.setItem("dex-token", "gone"));
    await page.reload();
    const dialog = page.getByRole("dialog");
    const field = dialog.getByRole("textbox", { name: "Link" });
    await field.fill(`${server.origin}/#token=${"x".repeat(server.token.length)}`);
    await dialog.getByText("The server does not accept this link").waitFor();
    await field.fill(server.address);
    await page.getByText("Stir the semolina").first().waitFor();
    assert.equal(await kept(), server.token);
    await page.context().close();
  },
);

test("without any history, a search offers the first sync, which says that it found nothing", options, async () => {
  const own = new TestHome();
  const empty = await WebServer.start(own);
  const { page } = await visit(empty);
  await open(page, empty, "/?q=cardamom");
  await page.getByRole("button", { name: "Read my conversations" }).click();
  await page.getByText("dex found no conversations.").waitFor();
  await page.getByRole("link", { name: "Health" }).last().click();
  await page.getByRole("heading", { name: "Health" }).waitFor();
  await page.context().close();
  await empty.end();
});
