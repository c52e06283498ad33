/**
 * The isolated environment of a chat. OpenCode finds its data, configuration, credentials and state through XDG_*
 * variables and the home folder; dex points all of them into the chat's own folder, so that OpenCode neither reads nor
 * writes the user's own OpenCode files. The dex server that OpenCode starts gets the user's variables back, because it
 * must read the user's histories.
 */
import { join } from "node:path";
import type { DexPaths } from "../config/paths.ts";
import { ensureFolder, writeFileAtomic } from "../kernel/files/atomic_write.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { ModelChoice } from "./model.ts";

export interface PlaceOptions {
  paths: DexPaths;
  vars: NodeJS.ProcessEnv;
  /** Program and arguments that start dex itself. */
  self: readonly string[];
  model: ModelChoice | undefined;
}

/** Limit for listing the tools, and for each call. */
const MCP_TIMEOUT_MS = 60_000;

const GUIDE = `You answer questions about earlier work of the user and their coding agents, from the user's own history.
Use the dex tools: search first, then read the timeline or outline of a result, then only the messages you need.
Cite the ids of the conversations that support your answer. If you find nothing, say so; do not guess.
`;

export function databaseOf(folder: string): string {
  return join(folder, "data", "opencode", "opencode.db");
}

/** Writes OpenCode's configuration for the chat and returns the environment to start it with. */
export function preparePlace(folder: string, options: PlaceOptions): NodeJS.ProcessEnv {
  const own = ownVariables(folder, options);
  const config = join(folder, "config", "opencode");
  writeFileAtomic(join(config, "opencode.json"), `${JSON.stringify(configOf(options, own), null, 2)}\n`);
  writeFileAtomic(join(config, "AGENTS.md"), GUIDE);
  withoutPlugins(config);
  return { ...withoutOpencode(options.vars), ...own, ...options.model?.vars };
}

function ownVariables(folder: string, { paths, model }: PlaceOptions): Record<string, string> {
  return {
    XDG_DATA_HOME: join(folder, "data"),
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CACHE_HOME: join(paths.home, "cache"),
    // Otherwise OpenCode would read `~/.opencode` and install packages into it.
    OPENCODE_TEST_HOME: join(folder, "home"),
    OPENCODE_DISABLE_PROJECT_CONFIG: "1",
    OPENCODE_DISABLE_CLAUDE_CODE: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    // The list of all models is only needed to choose one.
    ...(model ? { OPENCODE_DISABLE_MODELS_FETCH: "1" } : {}),
  };
}

/** Removes the user's OPENCODE_* settings, which name the user's own files. */
function withoutOpencode(vars: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(vars).filter(([name]) => !name.startsWith("OPENCODE") || name === "OPENCODE_API_KEY");
  return Object.fromEntries(kept);
}

function configOf({ paths, vars, self, model }: PlaceOptions, own: Record<string, string>): JsonObject {
  const given: JsonObject = { DEX_HOME: paths.home };
  // OpenCode passes on its whole environment; an empty value counts as unset.
  for (const name of Object.keys(own)) if (name.startsWith("XDG_")) given[name] = vars[name] ?? "";
  if (vars.OPENCODE_DB) given.OPENCODE_DB = vars.OPENCODE_DB;
  return {
    $schema: "https://opencode.ai/config.json",
    autoupdate: false,
    share: "disabled",
    snapshot: false,
    // OpenCode's own free models run on another machine, and a user's history must not go there unasked.
    ...(vars.OPENCODE_API_KEY ? {} : { disabled_providers: ["opencode"] }),
    ...model?.config,
    permission: { edit: "ask", bash: "ask", webfetch: "ask" },
    mcp: {
      dex: { type: "local", command: [...self, "serve"], enabled: true, environment: given, timeout: MCP_TIMEOUT_MS },
    },
  };
}

/**
 * At each start OpenCode installs its plugin package from the registry into every configuration folder. A chat has no
 * plugins; a lock file that names the package keeps OpenCode from installing it.
 */
function withoutPlugins(config: string): void {
  ensureFolder(join(config, "node_modules"));
  const lock = { lockfileVersion: 3, packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } };
  writeFileAtomic(join(config, "package-lock.json"), `${JSON.stringify(lock)}\n`);
}
