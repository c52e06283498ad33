import { chromium } from "playwright-core";
const url = process.argv[2]; const routes = process.argv.slice(3);
const b = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const [theme, width] of [["light", 1280], ["dark", 1280], ["light", 360]]) {
  const c = await b.newContext({ viewport: { width, height: width < 500 ? 780 : 860 }, colorScheme: theme });
  const p = await c.newPage(); const errors = []; p.on("console", (m) => { if (m.type() === "error" || m.type()==="warning") errors.push(m.text()); }); p.on("pageerror", (e) => errors.push(String(e)));
  await p.goto(url); await p.waitForTimeout(1500);
  for (const [i, r] of routes.entries()) { if (theme === "dark" && i % 2) continue; await p.evaluate((x) => { history.pushState(null, "", x); dispatchEvent(new PopStateEvent("popstate")); }, r); await p.waitForTimeout(3500); await p.screenshot({ path: `/tmp/int/shot-${theme}-${width}-${r.replace(/[^a-z0-9]+/gi, "_").slice(0, 30)}.png` }); }
  console.log(theme, width, errors.slice(0, 5)); await c.close();
}
await b.close();
