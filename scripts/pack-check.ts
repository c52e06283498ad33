/** Checks the package as a user gets it: packed, installed into an empty folder, run there. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { libraryExample } from "../test/support/library_example.ts";

/** The inputs and answers of operations have their types, and mistakes are type errors. */
const USE = `import { Dex, type OperationInput, operations, runOperation } from "dex-context";
const dex = await Dex.open();
const { output } = await runOperation(dex, "stats", {});
const total: number = output.total_conversations;
if (total !== 4) throw new Error("found " + total);
const { verb } = await operations["docs add"]();
const input: OperationInput<"search"> = { query: verb };
// @ts-expect-error a number is not a query
input.query = 5;
dex.close();
console.log("library ok");
`;

/** The notice of `dex watch` that it polls because it has no file events. */
const POLLING = /\blook(?:ing|ed at) again\b|\bpoll/i;

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
  writeFileSync(join(project, "example.ts"), libraryExample());
  writeFileSync(join(project, "use.ts"), USE);
  for (const file of ["example.ts", "use.ts"]) {
    execFileSync(process.execPath, [file], { cwd: project, env, stdio: "inherit" });
  }
  // The types of dependencies are checked, too: those of dex are one of them.
  execFileSync(
    process.execPath,
    [
      join(root, "node_modules/typescript/bin/tsc"),
      ...["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024", "use.ts", "example.ts"],
      ...["--types", "node", "--typeRoots", join(root, "node_modules/@types")],
    ],
    { cwd: project, stdio: "inherit" },
  );
  await checkWatch(dex, project, env);
  process.stdout.write("package ok\n");
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The native part of the watcher comes in a separate package. */
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
  if (status !== 0 || POLLING.test(said)) throw new Error(`dex watch ended with ${status}: ${said}`);
}
