/** A conversation of 20,002 messages, one that grows while it is read, and 250 keys in a row. */
import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import type { Page } from "playwright-core";
import { NO_BROWSER, open, theBrowser, visit } from "../../support/browser/web.ts";
import { type Turn, writeDialogue } from "../../support/histories/dialogue.ts";
import { TestHome } from "../../support/program/dex.ts";
import { WebServer } from "../../support/servers/web.ts";

const options = { skip: NO_BROWSER };
const HUGE = "aaaaaaaa-1111-4000-8000-000000000001";
const GROWING = "aaaaaaaa-1111-4000-8000-000000000002";
const MESSAGES = 20_002;
/** Of the brief: the page holds only the messages near the visible ones. */
const MAX_NODES = 400;
const PX = 2;
let home: TestHome;
let server: WebServer;

before(async () => {
  if (NO_BROWSER !== false) return;
  home = new TestHome();
  writeDialogue(home.home, HUGE, hugeTurns());
  const turns = Array.from(
    { length: 60 },
    (_, at): Turn => (at % 2 === 0 ? { user: `Ask ${at}` } : { agent: `Say ${at}` }),
  );
  writeDialogue(home.home, GROWING, turns);
  assert.equal(home.run("sync").status, 0);
  server = await WebServer.start(home);
  await theBrowser();
});

/** Messages of many heights; a command is two of them. */
function hugeTurns(): Turn[] {
  const turns: Turn[] = [];
  for (let count = 0; count < MESSAGES; ) {
    const at = turns.length;
    const isCommand = at % 3 === 2 && count <= MESSAGES - 2;
    if (isCommand) turns.push({ command: `step ${at}`, output: "line\n".repeat(at % 9) });
    else if (at % 3 === 0) turns.push({ user: `Question ${at}: ${"words ".repeat(at % 40)}` });
    else turns.push({ agent: `Answer ${at}\n\n${"A sentence about it. ".repeat(at % 60)}` });
    count += isCommand ? 2 : 1;
  }
  return turns;
}

/** Where a message stands, relative to the lower edge of the bar that covers the top of the page. */
function offsetOf(page: Page, index: number): Promise<number | undefined> {
  return page.evaluate((wanted) => {
    const message = document.querySelector(`[data-message="${wanted}"]`);
    const bar = document.querySelector(".reader-bar");
    if (!message || !bar) return undefined;
    return message.getBoundingClientRect().top - bar.getBoundingClientRect().bottom;
  }, index);
}

/** Waits until nothing moves any more. */
async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    let last = Number.NaN;
    for (let same = 0; same < 12; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = scrollY + document.documentElement.scrollHeight;
      same = now === last ? same + 1 : 0;
      last = now;
    }
  });
}

test("opens at any message, to the pixel, also after a reload, with few elements", options, async () => {
  const { page } = await visit(server);
  for (const index of [15_000, 1, 20_001]) {
    await open(page, server, `/c/${HUGE}/${index}`);
    await page.locator(`[data-message="${index}"]`).waitFor();
    await still(page);
    const isLast = index === MESSAGES - 1;
    const offset = (await offsetOf(page, index)) ?? Number.NaN;
    if (!isLast) assert.ok(Math.abs(offset) <= PX, `message ${index} is ${offset} px off`);
    const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
    assert.ok(nodes <= MAX_NODES, `${nodes} nodes at message ${index}`);
  }
  await open(page, server, `/c/${HUGE}/15000`);
  await still(page);
  await page.reload();
  await page.locator('[data-message="15000"]').waitFor();
  await still(page);
  const offset = (await offsetOf(page, 15_000)) ?? Number.NaN;
  assert.ok(Math.abs(offset) <= PX, `after a reload it is ${offset} px off`);
  await page.context().close();
});

test("the wheel moves the text by what it says, up and down, and back to the same place", options, async () => {
  const { page } = await visit(server);
  await open(page, server, `/c/${HUGE}/15000`);
  await still(page);
  await page.mouse.move(640, 500);
  const before = await offsetOf(page, 15_000);
  const jumps: number[] = [];
  for (const delta of [...Array<number>(20).fill(-120), ...Array<number>(20).fill(120)]) {
    const marked = await page.evaluate(() => {
      const middle = document.elementFromPoint(640, 450)?.closest("[data-message]");
      return { index: middle?.getAttribute("data-message") ?? "", top: middle?.getBoundingClientRect().top ?? 0 };
    });
    await page.mouse.wheel(0, delta);
    await still(page);
    const top = await page.evaluate(
      (index) => document.querySelector(`[data-message="${index}"]`)?.getBoundingClientRect().top,
      marked.index,
    );
    if (top !== undefined) jumps.push(Math.abs(marked.top - delta - top));
  }
  assert.ok(jumps.length > 30);
  assert.ok(Math.max(...jumps) <= PX, `a jump of ${Math.max(...jumps)} px`);
  const drift = ((await offsetOf(page, 15_000)) ?? Number.NaN) - (before ?? Number.NaN);
  assert.ok(Math.abs(drift) <= PX, `drifted by ${drift} px`);
  await page.context().close();
});

test(
  "250 keys in a row: the last query's results are shown, and only settled searches leave a trace",
  options,
  async () => {
    const { page } = await visit(server);
    const traces = (): { query?: string; command: string }[] =>
      home.json<{ traces: { query?: string; command: string }[] }>("traces", "--tail", "1000").traces;
    const before = traces().length;
    const text = `${"sentence about answer ".repeat(12).slice(0, 242)}step 5`.slice(0, 250);
    await page.locator("[data-search]").focus();
    await page.keyboard.type(text);
    await page.waitForURL((url) => url.searchParams.get("q") === text);
    const { results } = home.json<{ results: { id: string }[] }>("search", text, "--in", "all", "--no-sync");
    const rows = page.locator("[data-list] [data-row]");
    await rows.first().waitFor();
    await page.waitForFunction(
      (id) => document.querySelector("[data-row]")?.getAttribute("href")?.includes(id),
      results[0]?.id ?? "?",
    );
    await page.keyboard.press("Enter");
    // The one above is of this test's own search.
    const settled = (): typeof before => traces().length - before - 1;
    await assertSoon(page, () => settled() >= 1);
    assert.ok(settled() <= 2, `${settled()} traces`);
    await page.context().close();
  },
);

/** Waits for a condition outside the page. */
async function assertSoon(page: Page, check: () => boolean): Promise<void> {
  while (!check()) await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
}

function transcript(): string {
  return join(home.home, ".claude/projects/-srv-demo", `${GROWING}.jsonl`);
}

/** Appends a message, as an agent does while it works. */
function grow(text: string): void {
  const lines = readFileSync(transcript(), "utf8").trimEnd().split("\n");
  const last = JSON.parse(lines.at(-1) ?? "{}") as Record<string, unknown>;
  const uuid = `${GROWING}-${lines.length}`;
  const record = {
    ...last,
    type: "assistant",
    uuid,
    parentUuid: last.uuid,
    timestamp: new Date(Date.parse(String(last.timestamp)) + 1000).toISOString(),
    message: { id: `m-${uuid}`, role: "assistant", model: "claude-test", content: [{ type: "text", text }] },
  };
  appendFileSync(transcript(), `${JSON.stringify(record)}\n`);
}

test(
  "a conversation that grows: elsewhere nothing moves and a pill counts; at its end the page follows",
  options,
  async () => {
    const { page } = await visit(server);
    await open(page, server, `/c/${GROWING}/10`);
    await still(page);
    const before = await offsetOf(page, 10);
    grow("The first new words.");
    const pill = page.getByRole("button", { name: /new message/ });
    await pill.filter({ hasText: /1 new/ }).waitFor();
    grow("The second new words.");
    await pill.filter({ hasText: /2 new/ }).waitFor();
    assert.equal(await offsetOf(page, 10), before);
    await pill.click();
    await page.getByText("The second new words.").waitFor();
    grow("The third new words.");
    await page.getByText("The third new words.").waitFor();
    const isVisible = await page.getByText("The third new words.").evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    assert.equal(isVisible, true);
    await page.context().close();
  },
);
