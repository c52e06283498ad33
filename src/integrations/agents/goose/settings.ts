/** Goose: extensions in `config.yaml`, for all projects. */
import { join } from "node:path";
import { type AgentEnv, type AgentSettings, ENTRY_NAME, xdgConfigFolder } from "../../settings/agent_settings.ts";

export const gooseSettings: AgentSettings = {
  userOnly: true,
  traces: (env) => [folder(env)],
  mcp: (env) => ({
    file: join(folder(env), "config.yaml"),
    format: "yaml",
    path: () => ["extensions", ENTRY_NAME],
    value: ([cmd = "", ...args], name) => ({
      enabled: true,
      type: "stdio",
      name,
      description: "Past conversations, decisions, code and documentation",
      cmd,
      args,
      envs: {},
      env_keys: [],
      timeout: TIMEOUT_S,
    }),
  }),
};

/** Goose's own default. */
const TIMEOUT_S = 300;

function folder(env: AgentEnv): string {
  const { GOOSE_PATH_ROOT, APPDATA } = env.vars;
  if (GOOSE_PATH_ROOT) return join(GOOSE_PATH_ROOT, "config");
  if (env.platform === "win32" && APPDATA) return join(APPDATA, "Block", "goose", "config");
  return join(xdgConfigFolder(env), "goose");
}
