/** `dex hooks`: shows where hooks are set up, and turns them on or off, everywhere or in one project. */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { changeConfig } from "../../config/file.ts";
import { MOMENTS, type Moment, momentsOff } from "../../config/moments.ts";
import { OPT_OUT } from "../../config/paths.ts";
import { readConfig } from "../../config/settings.ts";
import type { Dex } from "../../dex.ts";
import { readOutcomes } from "../../integrations/hooks/outcome_counts.ts";
import { DexError } from "../../kernel/errors.ts";
import { asObject } from "../../kernel/json.ts";
import { defineOperation } from "../operation.ts";
import { agentEnv, hookStates } from "./connections.ts";

const SHOWN_DAYS = 7;

const output = z.object({
  /** The setting hooks.enabled, or DEX_HOOKS. */
  enabled: z.boolean(),
  /** False when a file turns hooks off in this project. */
  here: z.boolean(),
  project: z.string(),
  agents: z.array(
    z.object({
      agent: z.string(),
      name: z.string(),
      scope: z.enum(["user", "project"]),
      file: z.string(),
      state: z.enum(["on", "outdated", "disabled", "broken", "none", "not_ours", "unreadable"]),
      /** Events that this version of dex answers, but which the settings do not send to it. */
      missing: z.array(z.string()).optional(),
      /** The agent's own setting that disables them, and its file. */
      off_by: z.string().optional(),
    }),
  ),
  /** Each moment, and whether the settings and the environment leave it on. */
  moments: z.record(z.enum(MOMENTS), z.boolean()),
  /** How the hooks of the last days ended, by host; the latest day first. */
  outcomes: z.array(
    z.object({
      day: z.string(),
      host: z.string(),
      answered: z.number(),
      silent: z.number(),
      late: z.number(),
      failed: z.number(),
    }),
  ),
  log: z.string(),
});

const switchInput = z.strictObject({
  project: z.boolean().default(false).describe(`Only in this project, through the file ${OPT_OUT}`),
});

export const hooks = defineOperation({
  name: "dex_hooks",
  verb: "hooks",
  summary: "Show whether hooks are on, which agents run them, and how many answered, were silent, late or failed",
  positionals: [],
  input: z.strictObject({}),
  output,
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  withoutSettings: true,
  run: (dex) => stateOf(dex),
});

const switchDefinition = {
  positionals: [],
  input: switchInput,
  output,
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  withoutSettings: true,
} as const;

export const hooksOn = defineOperation({
  ...switchDefinition,
  name: "dex_hooks_on",
  verb: "hooks on",
  summary: "Turn hooks on",
  run: (dex, input) => switchHooks(dex, input.project, true),
});

export const hooksOff = defineOperation({
  ...switchDefinition,
  name: "dex_hooks_off",
  verb: "hooks off",
  summary: "Turn hooks off, everywhere or in this project",
  run: (dex, input) => switchHooks(dex, input.project, false),
});

async function switchHooks(dex: Dex, inProject: boolean, on: boolean): Promise<z.output<typeof output>> {
  if (!inProject) {
    await changeConfig(dex.paths.config, [{ key: "hooks.enabled", value: on ? undefined : false }]);
    return stateOf(dex);
  }
  const { project, home } = agentEnv(dex);
  if (project === home) {
    throw new DexError("no_project", `${home} is your home folder, not a project.`, {
      hint: "Go to a project's folder, or omit --project.",
    });
  }
  const file = join(project, OPT_OUT);
  if (on) rmSync(file, { force: true });
  else if (!existsSync(file)) writeFileSync(file, "", { flag: "wx" });
  return stateOf(dex);
}

async function stateOf(dex: Dex): Promise<z.output<typeof output>> {
  const env = agentEnv(dex);
  const variable = dex.vars.DEX_HOOKS ?? "";
  const { enabled: set, moments } = asObject((await readConfig(dex.paths.config)).hooks);
  const off = momentsOff(dex.vars);
  const isOn = (moment: Moment): boolean => !off.has(moment) && asObject(moments)[moment] !== false;
  return {
    enabled: variable === "" ? set !== false : !/^(?:off|0|false|no)$/i.test(variable),
    here: !existsSync(join(env.project, OPT_OUT)),
    project: env.project,
    agents: await hookStates(dex),
    moments: Object.fromEntries(MOMENTS.map((moment) => [moment, isOn(moment)])) as Record<Moment, boolean>,
    outcomes: readOutcomes(dex.paths.hookCounts, SHOWN_DAYS, dex.now()),
    log: dex.paths.hooksLog,
  };
}
