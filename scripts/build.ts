/** Bundles `dist/`: the program, the reader thread and the library, with the embedding models next to them. */
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { constants, zstdCompressSync } from "node:zlib";
import { type BuildOptions, build, type Metafile } from "esbuild";
import { makeHelpTable } from "../src/cli/help/make_help_table.ts";
import { makeInputTable } from "../src/cli/inputs/make_input_table.ts";
import { grammars } from "../src/code/languages/registry.ts";
import { COMPRESSED, RUNTIME } from "../src/code/parsing/locate.ts";
import { loadSettings } from "../src/config/settings.ts";
import { makeDefinitionTable } from "../src/mcp/tools/make_definitions.ts";
import { TOOLSETS } from "../src/operations/operation.ts";
import { OPERATIONS } from "../src/operations/registry.ts";
import { findToolVerbs } from "../src/operations/toolsets.ts";
import { writeAsAscii } from "./build/ascii.ts";
import { lateBuiltins } from "./build/late_builtins.ts";
import { noticesOf, packagesIn } from "./build/notices.ts";
import { apart, importedBuiltins, plainBuiltins, smallDriver, without } from "./build/plugins.ts";
import { quickPaths } from "./build/quick_paths.ts";
import { redactionCode, redactionLiterals } from "./build/redaction_code.ts";
import { ALL_FILES, lazySchemas, usedZod } from "./build/schemas.ts";
import { buildWeb } from "./build/web.ts";
import { readersInOneChunk } from "./readers_chunk.ts";

const root = join(import.meta.dirname, "..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

/** With `--types` the build is to be packed: its grammars are 0.2 MB smaller in total, which takes 25 seconds more. */
const isPacked = process.argv.includes("--types");
const ZSTD_LEVEL = isPacked ? 19 : 9;

/**
 * The verbs that most calls use, and those that programs call: `usage` by status bars, `push` by hooks of git, `sync` by
 * timers. Each file has the name of its verb.
 */
const PROGRAM_VERBS = ["search", "stats", "list", "show", "usage", "push", "sync"];
const PROGRAM_FILES = `(?:conversations|usage|team|upkeep)/(?:${PROGRAM_VERBS.join("|")})\\.ts$`;
/** Verbs of two words that begin with one of them are not in that program. */
const LONGER_VERBS = Object.keys(OPERATIONS).filter((verb) =>
  PROGRAM_VERBS.some((first) => verb.startsWith(`${first} `)),
);

/** Tables are JSON texts: as objects, they would be evaluated at the start of each file of the source. */
const define: Record<string, string> = {
  DEX_VERSION: JSON.stringify(version),
  DEX_PROGRAM_VERBS: JSON.stringify(PROGRAM_VERBS.join(" ")),
  DEX_LONGER_VERBS: JSON.stringify(LONGER_VERBS.join(",")),
  DEX_TOOLSETS: JSON.stringify([...TOOLSETS, "all"].join(" ")),
  DEX_TOOL_VERBS: jsonText(await findToolVerbs()),
  DEX_TOOL_DEFINITIONS: jsonText(await makeDefinitionTable()),
  DEX_DEFAULT_SETTINGS: jsonText(await loadSettings("", {})),
  DEX_SETTINGS_SCHEMA: JSON.stringify(hashOfText(readFileSync(join(root, "src/config/schema.ts"), "utf8") + version)),
  DEX_HELP_TABLE: jsonText(await makeHelpTable()),
  DEX_REDACTION_RULES: JSON.stringify(hashOfText(redactionCode(root))),
  DEX_REDACTION_LITERALS: JSON.stringify(redactionLiterals().join("\n")),
};

function hashOfText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function jsonText(value: unknown): string {
  return JSON.stringify(JSON.stringify(value));
}

/**
 * No hook runs these: a hook answers from stored data, and a separate process updates it. Every function in the hook's
 * file costs time at each event, whether it is called or not.
 */
const NOT_IN_HOOKS =
  /^unpdf(?:\/|$)|\/(?:history\/source|agents\/\w+\/settings|sync\/service|collections\/(?:service|freshen)|code\/open|view\/findings|finding\/team_finding)\.ts$/;

/** The program of one file for the frequent verbs has no other verbs, nothing that keeps running, and no other places. */
const NOT_IN_PROGRAM = new RegExp(
  [
    "^unpdf(?:/|$)",
    "/cli/(?:programs/|help/|overview\\.ts$|run_program\\.ts$|unknown_command\\.ts$)",
    "/rendering/(?:docs|code|history|suggest|memory|ask|batch|agents)\\.ts$",
    "/integrations/agents/\\w+/(?:settings|hooks)\\.ts$",
    "/(?:search/all|collections/(?:service|freshen))\\.ts$",
    `/operations/(?!${PROGRAM_FILES})`,
  ].join("|"),
);

/** `dex serve` checks limits of its documentation with an opened application; as agents start it, it has none. */
const NOT_IN_SERVE = /\/src\/(?:dex|collections\/library)\.ts$/;

/**
 * Packages that a hook uses only where there are settings: a third of its code, which every event would wait for. They
 * are a file of their own, of which the program keeps the compiled code, too.
 */
const PACKAGES_FILE = "./packages.cjs";
/** The same for the frequent verbs: few people have YAML settings, a team, or agents that write XML. */
const SELDOM_FILE = "./seldom.cjs";
const SELDOM_PACKAGES = `
  ${await usedZod(root, ALL_FILES)}
  export * as yaml from "yaml";
  export * as htmlparser2 from "htmlparser2";
`;
/** Every question of a member of a team needs this one, and none of those. */
const DRIVER_FILE = "./postgres.cjs";
const DRIVER_PACKAGE = 'export { default as postgres } from "postgres";';

/** The parts of the protocol library that a session over stdio uses from its first call on. */
const PROTOCOL_FILE = "./protocol.cjs";
const PROTOCOL_PACKAGES = `
  import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
  import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
  const server = { ProtocolError, ProtocolErrorCode, Server };
  const stdio = { StdioServerTransport, serveStdio };
  export { server as "@modelcontextprotocol/server", stdio as "@modelcontextprotocol/server/stdio" };
`;

/** The schema of the settings is the only user of zod in a hook. */
const PACKAGES = `${await usedZod(root, "src/config/schema.ts")} export * as yaml from "yaml";`;

rmSync(join(root, "dist"), { recursive: true, force: true });
/**
 * One split build for the program, the library and the threads that read documents and answer requests over HTTP: they
 * share chunks, so large parts (the PDF reader) are shipped once, and a command loads only the parts it uses. The sync and
 * code threads are one file each, because each file costs about a millisecond to load. The hook, and the thread that
 * answers calls of agents, are one file for the same reason. They are CommonJS: in one ES module, all parts of Node that
 * any part of dex names would be loaded at once. They are built first, because the program that loads them knows their
 * hashes. Names are short: fewer bytes to load and to install.
 */
const FILE_URL = 'const dexFileUrl = require("node:url").pathToFileURL(__filename).href;';
/** Run by `src/threads/code_cache.ts`. The function around each is in the file, because adding it would copy the text. */
const START = `(function (exports, require, module, __filename, __dirname) {${FILE_URL}`;
const commonJs: BuildOptions = {
  format: "cjs",
  splitting: false,
  outExtension: { ".js": ".cjs" },
  banner: { js: START },
  footer: { js: "})" },
  define: { "import.meta.url": "dexFileUrl", "import.meta.dirname": "__dirname" },
};
/** The global `performance` loads a part of Node that a clock does not need. */
const smallClock: BuildOptions = {
  banner: { js: `${START} const dexClock = { now: () => process.uptime() * 1000 };` },
  define: { ...commonJs.define, performance: "dexClock" },
};
const parts: BuildOptions[] = [
  { stdin: { contents: PACKAGES, resolveDir: root }, entryNames: "packages", ...commonJs },
  { stdin: { contents: SELDOM_PACKAGES, resolveDir: root }, entryNames: "seldom", ...commonJs },
  { stdin: { contents: PROTOCOL_PACKAGES, resolveDir: root }, entryNames: "protocol", ...commonJs },
  {
    stdin: { contents: DRIVER_PACKAGE, resolveDir: root },
    entryNames: "postgres",
    plugins: [smallDriver],
    ...commonJs,
  },
  {
    entryPoints: { hook: "src/hooks/hook.ts" },
    plugins: [apart(PACKAGES_FILE, /^(?:zod|yaml)$/), without(NOT_IN_HOOKS), lateBuiltins(root), quickPaths(root)],
    ...commonJs,
    ...smallClock,
  },
  // The frequent verbs once more, as one file like the hook. They read no PDF.
  {
    entryPoints: { program: "src/cli/main.ts" },
    plugins: [
      plainBuiltins,
      lazySchemas(root, SELDOM_FILE),
      apart(SELDOM_FILE, /^(?:yaml|htmlparser2)$/),
      apart(DRIVER_FILE, /^postgres$/),
      without(NOT_IN_PROGRAM),
      lateBuiltins(root),
      quickPaths(root),
    ],
    ...commonJs,
    ...smallClock,
    define: {
      ...smallClock.define,
      DEX_ONE_ANSWER: "true",
      DEX_INPUT_TABLE: jsonText(await makeInputTable(PROGRAM_VERBS)),
    },
  },
  // The opening of a session with an agent.
  {
    entryPoints: { serve: "src/cli/quick_serve.ts" },
    plugins: [apart(PROTOCOL_FILE, /^@modelcontextprotocol\//), without(NOT_IN_SERVE), lateBuiltins(root)],
    ...commonJs,
  },
  // Everything that a thread does which answers calls of agents.
  {
    entryPoints: { answering: "src/mcp/answering.ts" },
    plugins: [apart(DRIVER_FILE, /^postgres$/)],
    ...commonJs,
  },
  {
    entryPoints: {
      main: "src/cli/main.ts",
      index: "src/index.ts",
      documents_worker: "src/collections/reading/worker.ts",
      team_worker: "src/team/gate/worker.ts",
      pdf_worker: "src/documents/formats/pdf/worker.ts",
      http_worker: "src/http/worker.ts",
      live_worker: "src/http/live/worker.ts",
    },
    splitting: true,
    plugins: [readersInOneChunk(root)],
  },
  // Every start waits for it, so it is one file.
  { entryPoints: { dex: "src/cli/entry.ts" }, splitting: false, plugins: [plainBuiltins] },
  { entryPoints: { statusline: "src/hooks/statusline.ts" }, splitting: false },
  {
    entryPoints: { help: "src/cli/help/help_program.ts" },
    splitting: false,
    plugins: [without(/\/make_help_table\.ts$/), plainBuiltins],
    define: { DEX_ONE_ANSWER: "true" },
  },
  { entryPoints: { mcp_worker: "src/mcp/worker.ts" }, splitting: false, plugins: [plainBuiltins] },
  { entryPoints: { worker: "src/sync/reading/worker.ts" }, splitting: false },
  { entryPoints: { code_worker: "src/code/indexing/worker.ts" }, splitting: false },
  { entryPoints: { relations_worker: "src/code/indexing/relations/worker.ts" }, splitting: false },
];
const metafiles: Metafile[] = [];
for (const part of parts) {
  const { metafile } = await build({
    chunkNames: "[name]-[hash]",
    ...part,
    absWorkingDir: root,
    outdir: "dist",
    bundle: true,
    format: part.format ?? "esm",
    platform: "node",
    target: "node24",
    minify: true,
    // Their main entries are CommonJS; these are the same code as ES modules, of which only the used parts are bundled.
    alias: {
      yaml: join(root, "node_modules/yaml/browser/index.js"),
      "jsonc-parser": join(root, "node_modules/jsonc-parser/lib/esm/main.js"),
    },
    // Loads the program code for this machine from a package next to it.
    external: ["@parcel/watcher", ...(part.external ?? [])],
    plugins: [...(part.plugins ?? []), importedBuiltins],
    define: { ...define, ...part.define },
    legalComments: "linked",
    logLevel: "warning",
    metafile: true,
  });
  metafiles.push(metafile);
  if (part.format === "cjs") writeAsAscii(join(root, "dist"));
  for (const name of ["hook", "program", "serve", "answering"]) {
    const file = join(root, `dist/${name}.cjs`);
    if (existsSync(file)) define[`DEX_${name.toUpperCase()}_BUILD`] ??= JSON.stringify(hashOf(file));
  }
}

/** With the packages next to it, which are loaded under the same hash. */
function hashOf(file: string): string {
  const hash = createHash("sha256");
  for (const each of [file, PACKAGES_FILE, SELDOM_FILE, PROTOCOL_FILE, DRIVER_FILE])
    hash.update(readFileSync(resolve(root, "dist", each)));
  return hash.digest("hex").slice(0, 16);
}
chmodSync(join(root, "dist/dex.js"), 0o755);
await buildWeb(root);

const model = join(root, "models/static.bin");
if (existsSync(model)) copyFileSync(model, join(root, "dist/model.bin"));
else process.stderr.write(`${model} is missing: the built program has no embedding model\n`);
const encoder = join(root, "models/encoder.bin");
if (existsSync(encoder)) copyFileSync(encoder, join(root, "dist/encoder.bin"));

mkdirSync(join(root, "dist/grammars"));
const packed = (file: string): string => join(root, "dist/grammars", file);
copyFileSync(join(root, "node_modules", RUNTIME.package, RUNTIME.file), packed(RUNTIME.file));
const languages = await grammars();
for (const { package: name, file } of languages) {
  const bytes = readFileSync(join(root, "node_modules", name, file));
  const params = { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL };
  writeFileSync(packed(file + COMPRESSED), zstdCompressSync(bytes, { params }));
}

const packages = [...packagesIn(metafiles), RUNTIME.package, ...languages.map((language) => language.package)];
writeFileSync(join(root, "dist/notices.txt"), noticesOf(root, packages));

if (isPacked) {
  const { bundleTypes } = await import("./bundle_types.ts");
  await bundleTypes(root);
}
