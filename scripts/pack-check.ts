/** The package as a stranger gets it: packed, installed into an empty folder, run there. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const work = mkdtempSync(join(tmpdir(), "dex-pack-"));
try {
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", work], { cwd: root, encoding: "utf8" });
  const listing: unknown = JSON.parse(packed.slice(packed.search(/[[{]/)));
  const file = /"filename":\s*"([^"]+)"/.exec(JSON.stringify(listing))?.[1];
  if (!file) throw new Error(`npm pack did not name its file: ${packed}`);
  const project = join(work, "project");
  const home = join(work, "home");
  mkdirSync(project);
  mkdirSync(home);
  writeFileSync(join(project, "package.json"), '{"name":"stranger","private":true,"type":"module"}');
  execFileSync("npm", ["install", "--no-audit", "--no-fund", join(work, file)], { cwd: project, stdio: "inherit" });
  const env = { ...process.env, HOME: home, DEX_HOME: join(home, ".dex") };
  const dex = join(project, "node_modules/.bin/dex");
  const stats: unknown = JSON.parse(execFileSync(dex, ["stats", "--json"], { cwd: project, env, encoding: "utf8" }));
  if (JSON.stringify(stats).includes('"total_conversations":0') === false)
    throw new Error(`unexpected: ${JSON.stringify(stats)}`);
  const samples = join(project, "node_modules/dex-context/samples/home");
  const synced = execFileSync(dex, ["sync", "--home", samples, "--json"], { cwd: project, env, encoding: "utf8" });
  if (!/"new":4\b/.test(synced)) throw new Error(`the samples were not read: ${synced}`);
  writeFileSync(
    join(project, "use.ts"),
    'import { Dex, stats } from "dex-context";\nconst dex = await Dex.open();\n' +
      "const answer = await stats.run(dex, {}, {});\nconst total: number = answer.total_conversations;\n" +
      'if (total !== 4) throw new Error("found " + total);\ndex.close();\nconsole.log("library ok");\n',
  );
  execFileSync(process.execPath, ["use.ts"], { cwd: project, env, stdio: "inherit" });
  execFileSync(
    process.execPath,
    [
      join(root, "node_modules/typescript/bin/tsc"),
      ...["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "--skipLibCheck", "use.ts"],
      ...["--types", "node", "--typeRoots", join(root, "node_modules/@types")],
    ],
    { cwd: project, stdio: "inherit" },
  );
  await checkWatch(dex, project, env);
  process.stdout.write("package ok\n");
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The native part of the watcher comes with a package of its own. */
async function checkWatch(dex: string, project: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(dex, ["watch"], { cwd: project, env, stdio: ["ignore", "ignore", "pipe"], timeout: 60_000 });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    const ready = said.includes("up to date");
    said += text;
    if (!ready && said.includes("up to date")) writeFileSync(join(project, "saved.ts"), "export const saved = 1;\n");
    if (said.includes("saved.ts changed")) child.kill("SIGTERM");
  });
  const [status] = await once(child, "close");
  if (status !== 0 || said.includes("again and again")) throw new Error(`dex watch ended with ${status}: ${said}`);
}
