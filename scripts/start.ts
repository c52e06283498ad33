/**
 * `npm start`: a first look. Syncs the agents' history on this machine, and four sample conversations, into a separate
 * folder, then shows some queries.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const home = join(root, ".cache", "start");
const env = { ...process.env, DEX_HOME: home };

function dex(...args: string[]): void {
  process.stdout.write(`\n$ dex ${args.map((arg) => (/[\s"]/.test(arg) ? `"${arg}"` : arg)).join(" ")}\n`);
  const run = spawnSync(process.execPath, [join(root, "dist/dex.js"), ...args], { stdio: "inherit", env });
  if (run.status !== 0) process.exit(run.status ?? 1);
}

process.stdout.write("dex finds what you and your coding agents did before.\n");
dex("sync");
dex("sync", "--home", join(root, "samples", "home"));
dex("stats", "--no-sync");
dex("search", "why did the migration fail", "--project", "notes-api", "--limit", "2", "--no-sync");
dex("show", sampleId(), "--format", "outline", "--no-sync");
process.stdout.write(`
This tour used ${home}; your own index will be in ~/.dex.
Next: put dex on your PATH with \`npm install -g .\` (Node 24 or newer), then \`dex sync\` and \`dex search "how did we …"\`.
`);

/** The id of the sample about the failed migration. */
function sampleId(): string {
  const found = spawnSync(
    process.execPath,
    [join(root, "dist/dex.js"), "search", "migration rolled back", "--project", "notes-api", "--json", "--no-sync"],
    { env, encoding: "utf8" },
  );
  const { results } = JSON.parse(found.stdout) as { results: { id: string }[] };
  return results[0]?.id ?? "";
}
