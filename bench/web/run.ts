/**
 * Measures the page of `dex web` in chromium, beside a bare page on the same machine: first paint, opening a conversation
 * of 20,002 messages at some message, keys to paint, frames while it scrolls, nodes and heap. The bare page has the texts of
 * 400 messages and no script.
 *
 *   npm run bench:web -- [--quick]
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright-core";
import { type Turn, writeDialogue } from "../../test/support/histories/dialogue.ts";
import { TestHome } from "../../test/support/program/dex.ts";
import { WebServer } from "../../test/support/servers/web.ts";
import { quantile } from "../lib/measure.ts";
import { markdownTable, type Row } from "../lib/table.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean" } } });
const ROUNDS = values.quick ? 3 : 9;
const KEYS = values.quick ? 60 : 250;
const MESSAGES = 20_002;
const ID = "aaaaaaaa-2222-4000-8000-000000000001";

const home = new TestHome();
const turns = Array.from({ length: MESSAGES }, (_, at): Turn => {
  const words = `Message ${at}. ${"Some words about rounding the ledger. ".repeat(at % 30)}`;
  return at % 2 === 0 ? { user: words } : { agent: words };
});
writeDialogue(home.home, ID, turns);
home.run("sync");
const server = await WebServer.start(home);
const paragraphs = turns
  .slice(0, 400)
  .map((turn) => `<p>${"user" in turn ? turn.user : "agent" in turn ? turn.agent : ""}`);
const bareStyle = "p { max-width: 40rem; margin: 24px auto; font: 17px/1.6 serif }";
const barePage = `<!doctype html><title>bare</title><style>${bareStyle}</style>${paragraphs.join("")}`;
const bare = createServer((_, response) => response.setHeader("Content-Type", "text/html").end(barePage));
await new Promise<void>((resolve) => bare.listen(0, "127.0.0.1", () => resolve()));
const bareAddress = `http://127.0.0.1:${(bare.address() as AddressInfo).port}/`;
const executablePath = process.env.DEX_CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--enable-precise-memory-info"] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(server.address);

const paint = (): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list, observer) => {
          const first = list.getEntriesByName("first-contentful-paint")[0];
          if (!first) return;
          observer.disconnect();
          resolve(first.startTime);
        }).observe({ type: "paint", buffered: true });
      }),
  );

const bareMs: number[] = [];
const paintMs: number[] = [];
const openMs: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  await page.goto(bareAddress);
  bareMs.push(await paint());
  await page.goto(`${server.origin}/`);
  paintMs.push(await paint());
  const index = Math.floor((MESSAGES / ROUNDS) * round) + 3;
  await page.goto(`${server.origin}/c/${ID}/${index}`);
  await page.locator(`[data-message="${index}"] p`).first().waitFor();
  openMs.push(await page.evaluate(() => performance.now()));
}
const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
const cdp = await page.context().newCDPSession(page);
await cdp.send("Performance.enable");
const bareFrames: Frames = { ms: [], busyMs: [] };
const frames: Frames = { ms: [], busyMs: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  await page.goto(bareAddress);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2));
  await scrolled(page, bareFrames);
  await page.goto(`${server.origin}/c/${ID}/${MESSAGES / 2}`);
  await page
    .locator(`[data-message="${MESSAGES / 2}"] p`)
    .first()
    .waitFor();
  await scrolled(page, frames);
}
const heapMb = await page.evaluate(
  () => ((performance as unknown as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize ?? 0) / 1e6,
);
const keys = await typed(page);

console.log(
  markdownTable([
    row("first paint of a bare page", bareMs, 0.5, undefined),
    row("first paint", paintMs, 0.5, 200),
    row("opens at a message of 20,002", openMs, 0.5, 800),
    row("key to the second frame after it, p95", keys, 0.95, 120),
    row("frame while a bare page scrolls, p95", bareFrames.ms, 0.95, undefined),
    row("frame while scrolling, p95", frames.ms, 0.95, 25),
    row("of it, the main thread of a bare page is busy", bareFrames.busyMs, 0.5, undefined),
    row("of it, the main thread is busy", frames.busyMs, 0.5, undefined),
    { what: "nodes", measured: String(nodes), aim: "400", met: nodes <= 400 },
    { what: "heap", measured: `${heapMb.toFixed(0)} MB`, aim: "60 MB", met: heapMb <= 60 },
  ]),
);
await browser.close();
await server.end();
bare.close();
home.remove();

function row(what: string, times: readonly number[], at: number, aimMs: number | undefined): Row {
  const ms = quantile(times, at);
  return {
    what,
    measured: `${ms.toFixed(0)} ms`,
    aim: aimMs === undefined ? "" : `${aimMs} ms`,
    met: ms <= (aimMs ?? ms),
  };
}

interface Frames {
  /** Times between frames. */
  ms: number[];
  /** The mean of each round: how long the main thread worked for a frame. */
  busyMs: number[];
}

/** Scrolls with the wheel, up and down again. */
async function scrolled(on: Page, into: Frames): Promise<void> {
  await on.mouse.move(640, 400);
  await on.evaluate(() => {
    const times: number[] = [];
    (window as unknown as { frames: number[] }).frames = times;
    let last = performance.now();
    const frame = (): void => {
      const now = performance.now();
      times.push(now - last);
      last = now;
      if (times.length < 600) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const before = await busySeconds();
  for (let step = 0; step < 120; step += 1) await on.mouse.wheel(0, step < 60 ? -240 : 240);
  const times = await on.evaluate(() => (window as unknown as { frames: number[] }).frames.slice(1));
  into.ms.push(...times);
  into.busyMs.push((((await busySeconds()) - before) * 1000) / times.length);
}

async function busySeconds(): Promise<number> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}

/** From a key to the second frame after it: by then the field has changed on the screen. */
async function typed(on: Page): Promise<number[]> {
  await on.goto(`${server.origin}/`);
  await on.locator("[data-search]").focus();
  await on.evaluate(() => {
    const times: number[] = [];
    (window as unknown as { keys: number[] }).keys = times;
    document.addEventListener(
      "keydown",
      ({ timeStamp }) =>
        requestAnimationFrame(() => requestAnimationFrame(() => times.push(performance.now() - timeStamp))),
      { capture: true },
    );
  });
  const text = "rounding the ledger message ".repeat(20).slice(0, KEYS);
  await on.keyboard.type(text, { delay: 60 });
  await on.waitForFunction((count) => (window as unknown as { keys: number[] }).keys.length >= count, KEYS);
  return on.evaluate(() => (window as unknown as { keys: number[] }).keys);
}
