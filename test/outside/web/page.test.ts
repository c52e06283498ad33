/** The page of `dex web` in a real browser: it opens, it is accessible, it works by keyboard alone, links are links. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { violations } from "../../support/browser/axe.ts";
import { delayFrames, NO_BROWSER, open, settled, theBrowser, visit } from "../../support/browser/web.ts";
import { LONG, NEEDLE, routesOf, type WebScene, webScene } from "../../support/browser/web_scene.ts";
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

test("it opens, the address keeps no token, nothing outside is asked, the console stays empty", options, async () => {
  const { page, complaints, outside } = await visit(server);
  assert.equal(page.url(), `${server.origin}/`);
  assert.ok(!(await page.content()).includes(server.token));
  assert.deepEqual(await page.context().cookies(), []);
  await page.keyboard.type("marzipan");
  await page.getByRole("link", { name: /marzipan ledger, attempt 0/ }).waitFor();
  for (const path of routesOf(scene).filter((route) => route !== "/c/nowhere")) await open(page, server, path);
  assert.deepEqual(complaints, []);
  assert.deepEqual(outside, []);
  await page.context().close();
});

test("a letter typed while the address is being written stays in the field", options, async () => {
  const { page } = await visit(server);
  await page.evaluate(() => {
    const replace = history.replaceState.bind(history);
    history.replaceState = (state, title, url) => {
      replace(state, title, url);
      const field = document.querySelector<HTMLInputElement>("[data-search]");
      if (field?.value !== "marzipa") return;
      field.value = "marzipan";
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    };
  });
  await page.keyboard.type("marzipa");
  await page.waitForURL(/q=marzipan$/);
  assert.equal(await page.locator("[data-search]").inputValue(), "marzipan");
  await page.context().close();
});

test("axe finds nothing on any route: light, dark, narrow", options, async () => {
  const { page } = await visit(server);
  const found: string[] = [];
  // In the middle of a transition the colours belong to neither scheme.
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const path of routesOf(scene)) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: "light" });
    await open(page, server, path);
    const note = async (how: string, ...only: string[]): Promise<void> => {
      // Results of an earlier query are pale until the new ones are there.
      await settled(page);
      for (const each of await violations(page, only)) found.push(`${path}, ${how}: ${each}`);
    };
    await note("light");
    await page.emulateMedia({ colorScheme: "dark" });
    // The elements are the same; only the colours differ.
    await note("dark", "color-contrast", "link-in-text-block");
    await page.setViewportSize({ width: 320, height: 640 });
    await note("narrow");
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (sideways > 0) found.push(`${path}: scrolls sideways by ${sideways} px`);
  }
  assert.deepEqual(found, []);
  await page.context().close();
});

test("with forced colours, what is chosen does not look like the rest", options, async () => {
  const { page } = await visit(server, { forcedColors: "active" });
  for (const [path, list] of [
    ["/code", "#nav-views"],
    ["/activity", ".tabs"],
    ["/?q=half+cents", ".kinds"],
    [`/c/${LONG}/40`, ".prompt-list"],
  ] as const) {
    await open(page, server, path);
    const ground = (of: string): Promise<string> =>
      page
        .locator(`${list} ${of}`)
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor);
    assert.notEqual(await ground("a[aria-current]"), await ground("a:not([aria-current])"), path);
  }
  await page.context().close();
});

test("a conversation that is opened in the middle asks for nothing twice", options, async () => {
  const { page } = await visit(server);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (/\/api\/(?:prompts|messages)$/.test(request.url())) asked.push(`${request.url()} ${request.postData()}`);
  });
  await open(page, server, `/c/${LONG}/130`);
  await page.locator(".prompt-list a[aria-current]").getByText("Question").waitFor();
  const ofPrompts = asked.filter((each) => each.includes("prompts"));
  assert.equal(new Set(ofPrompts).size, ofPrompts.length, ofPrompts.join("\n"));
  await page.context().close();
});

/** The message at the top of the reader. */
const topMessage = (page: Page): Promise<number> =>
  page.evaluate(() => Number(/\/c\/[^/]+\/(\d+)/.exec(location.pathname)?.[1] ?? -1));

test(
  "by keyboard alone: search, open, next prompt, unfold, find, copy a link, back to the same result",
  options,
  async () => {
    const { page } = await visit(server, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.keyboard.type("marzipan ledger");
    await page.getByRole("link", { name: /attempt 0/ }).waitFor();
    await page.keyboard.press("Enter");
    const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");
    let chosen = "";
    // A conversation far down: files of the project are among the results, too.
    for (let step = 0; step < 6 || (step < 20 && !chosen.includes("marzipan")); step += 1) {
      await page.keyboard.press("j");
      chosen = await focused();
    }
    const offset = await page.evaluate(() => scrollY);
    assert.match(chosen, /marzipan/);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/c\//);
    await settled(page);
    await page.goBack();
    await page.waitForURL(/q=marzipan/);
    await page
      .waitForFunction((text) => document.activeElement?.textContent === text, chosen)
      .catch(async () => {
        assert.equal(
          await page.evaluate(() => document.querySelector("[data-row][tabindex='0']")?.textContent),
          chosen,
        );
      });
    await page.waitForFunction((y) => Math.abs(scrollY - y) <= 2, offset);

    await open(page, server, `/c/${LONG}/0`);
    await page.getByText("Question 0 about").first().waitFor();
    await page.keyboard.press("J");
    await page.waitForURL(/\/c\/[^/]+\/(?!0$)\d+/);
    const prompt = await topMessage(page);
    const { indices } = scene.home.json<{ indices: number[] }>("prompts", LONG, "--positions", "--limit", "0");
    assert.equal(prompt, indices[1]);
    await page.keyboard.press("j");
    await page.waitForFunction((before) => !location.pathname.endsWith(`/${before}`), prompt);
    await page.keyboard.press("o");
    await page.locator('[aria-expanded="true"]').first().waitFor();
    await page.keyboard.press("f");
    await page.keyboard.type(NEEDLE);
    const { total } = scene.home.json<{ total: number }>("find", LONG, NEEDLE);
    await page
      .getByRole("status")
      .filter({ hasText: `of ${total}` })
      .waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("c");
    await page.getByText("Link copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, new RegExp(`^${server.origin}/c/${LONG}/\\d+$`));
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.context().close();
  },
);

test("a key pressed before the messages stand still counts: the address follows", options, async () => {
  const { page } = await visit(server);
  const { indices } = scene.home.json<{ indices: number[] }>("prompts", LONG, "--positions", "--limit", "0");
  await delayFrames(page, 200);
  await page.goto(`${server.origin}/c/${LONG}/0`);
  await page.getByText("Question 0 about").first().waitFor();
  await page.keyboard.press("J");
  await page.waitForURL(new RegExp(`/c/${LONG}/${indices[1]}$`));
  await page.context().close();
});

test("find reaches hits in messages that are folded or not loaded, as many as the server counts", options, async () => {
  const { page } = await visit(server);
  const { total, hits } = scene.home.json<{ total: number; hits: { index: number }[] }>("find", LONG, NEEDLE);
  assert.ok(total > 15);
  await open(page, server, `/c/${LONG}/0`);
  await page.keyboard.press("f");
  await page.keyboard.type(NEEDLE);
  for (const [at, hit] of hits.entries()) {
    await page
      .getByRole("status")
      .filter({ hasText: `${at + 1} of ${total}` })
      .waitFor();
    const message = page.locator(`[data-message="${hit.index}"]`);
    await message.getByText(NEEDLE).first().waitFor();
    await page.keyboard.press("Enter");
  }
  await page.context().close();
});

test("a middle click opens a tab that works; back and forward keep the filters", options, async () => {
  const { page } = await visit(server);
  await open(page, server, "/decisions?q=night&all=1");
  await page.getByText("Reports are made at night only").waitFor();
  await page.getByRole("link", { name: "Conversations", exact: true }).click();
  await page.waitForURL(/\/conversations/);
  await page.goBack();
  assert.equal(new URL(page.url()).search, "?q=night&all=1");
  assert.equal(await page.getByRole("searchbox").first().inputValue(), "night");
  await page.goForward();
  await page.waitForURL(/\/conversations/);

  await open(page, server, "/?q=marzipan");
  const link = page.getByRole("link", { name: /attempt 1$/ });
  const [tab] = await Promise.all([page.context().waitForEvent("page"), link.click({ button: "middle" })]);
  await settled(tab);
  await tab.getByText("The marzipan is rounded, 1.").waitFor();
  assert.match(page.url(), /q=marzipan/);
  await page.context().close();
});

test("days chosen on the timeline hold in every view that knows days, until they are removed", options, async () => {
  const { page } = await visit(server);
  await open(page, server, "/timeline");
  const axis = page.locator(".axis-box svg");
  const box = await axis.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.98, box.y + 20, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/from=.*to=/);
  const days = new URL(page.url()).searchParams;
  const [from, to] = [days.get("from") ?? "", days.get("to") ?? ""];
  const all = scene.home.json<{ total: number }>("index").total;
  const chosen = scene.home.json<{ total: number }>("index", "--from", from, "--to", to).total;
  assert.ok(chosen > 0 && chosen < all, `${chosen} of ${all}`);
  for (const view of ["Search", "Activity", "Decisions", "Traces", "Conversations"]) {
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: view, exact: true }).click();
    await settled(page);
    assert.equal(new URL(page.url()).searchParams.get("from"), from, view);
    if (view === "Conversations") await page.getByText(`${chosen} conversations`, { exact: true }).waitFor();
    else await page.getByRole("link", { name: /^All times, not/ }).waitFor();
  }
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Activity", exact: true }).click();
  await page.getByText(`${chosen} conversations`).waitFor();
  await page.getByRole("link", { name: /^All times, not/ }).click();
  await page.getByText(`${all} conversations`).waitFor();
  assert.equal(new URL(page.url()).search, "");
  await page.context().close();
});

interface Log {
  suggestions: { id: string; items: { outcome: string | null; how: string | null }[] }[];
}

test(
  "a verdict on a suggestion is kept, moves the statistics, and a second click changes nothing",
  options,
  async () => {
    const { page } = await visit(server);
    const explicit = (): number =>
      scene.home.json<{ feedback: { explicit: number } }>("suggest", "stats").feedback.explicit;
    const before = explicit();
    await open(page, server, "/suggestions");
    const button = page.getByRole("button", { name: /^It helped:/ }).first();
    await button.click();
    await page.getByText("Noted: it helped.").waitFor();
    await page.waitForFunction(() => document.querySelector("button[aria-pressed='true']"));
    const item = (): unknown =>
      scene.home.json<Log>("suggest", "log").suggestions.find(({ id }) => id === scene.suggestion)?.items[0];
    assert.partialDeepStrictEqual(item(), { outcome: "used", how: "explicit" });
    assert.equal(explicit(), before + 1);
    const noted = item();
    await button.click();
    await page.getByRole("table").getByText("100 %").first().waitFor();
    assert.deepEqual(item(), noted);
    assert.equal(explicit(), before + 1);
    await page.context().close();
  },
);

test("destructive actions ask first, and Cancel changes nothing", options, async () => {
  const { page } = await visit(server);
  await open(page, server, "/memory");
  const remove = page.getByRole("button", { name: /^Remove: Amounts/ });
  await remove.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  assert.equal(scene.home.json<{ total: number }>("pins").total, 1);
  await remove.click();
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("Nothing is pinned").waitFor();
  assert.equal(scene.home.json<{ total: number }>("pins").total, 0);
  await page.context().close();
});

test("the server dies: the page says so; it lives again: the page recovers", options, async () => {
  const own = await WebServer.start(scene.home);
  const { page } = await visit(own);
  await open(page, own, "/conversations");
  const port = Number(new URL(own.origin).port);
  own.process.kill("SIGKILL");
  await page.getByText("The server does not answer").waitFor();
  const next = await WebServer.start(scene.home, port);
  await page.getByText("This link is no longer valid").waitFor();
  const other = await page.context().newPage();
  await other.goto(next.address);
  await settled(other);
  // The token of the new link is known to all tabs.
  await page.getByText("This link is no longer valid").waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Decisions" }).click();
  await page.getByText("Reports are made at night only").waitFor();
  await page.context().close();
});
