/**
 * `dex team create` and `dex team upgrade`: the schema of a team's server. Only these two run migrations. `dex team
 * gateway`: a login for `dex team serve`.
 */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { hasTeam } from "../../team/joined.ts";
import { createGateway, createTeam, upgradeServer } from "../../team/setup.ts";
import { defineOperation, type OperationContext } from "../operation.ts";
import { alreadyJoined, machineName, nameField, userName } from "./session.ts";

const url = z
  .string()
  .max(4000)
  .optional()
  .describe(
    "postgres://… of a role that may create roles and schemas; with `-` or without a value, dex prompts for it, so that it stays out of the shell history",
  );

export const teamCreate = defineOperation({
  name: "dex_team_create",
  verb: "team create",
  summary: "Create a team on a PostgreSQL server, with you as its admin",
  positionals: ["url"],
  input: z.strictObject({
    url,
    name: nameField.default("team").describe("The team's name"),
    as: nameField.optional().describe("Your name in the team (default: your login)"),
    machine: z.string().min(1).max(100).optional().describe("The name of this machine (default: its host name)"),
  }),
  output: z.object({ team: z.string(), member: z.string(), schema: z.number() }),
  readOnly: false,
  idempotent: false,
  syncBefore: "none",
  run: async (dex, input, context) => {
    if (hasTeam(dex.paths.team)) throw alreadyJoined();
    const address = await typedUrl(input.url, context);
    const who = { team: input.name, member: userName(input.as), machine: machineName(input.machine) };
    return { team: who.team, member: who.member, schema: await createTeam(dex.paths.team, address, who) };
  },
});

export const teamUpgrade = defineOperation({
  name: "dex_team_upgrade",
  verb: "team upgrade",
  summary: "Upgrade the schema of the team's server; with --restored, after a restore from a backup",
  positionals: ["url"],
  input: z.strictObject({
    url,
    restored: z
      .boolean()
      .default(false)
      .describe("After a restore: each machine compares what it pushed with what the server has"),
  }),
  output: z.object({ from: z.number(), to: z.number(), epoch: z.string().optional() }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (_dex: Dex, input, context) => upgradeServer(await typedUrl(input.url, context), input.restored),
});

export const teamGateway = defineOperation({
  name: "dex_team_gateway",
  verb: "team gateway",
  summary: "Create the PostgreSQL login that `dex team serve` needs, and print its address once",
  positionals: ["url"],
  input: z.strictObject({ url }),
  output: z.object({ url: z.string().describe("postgres://… of the gateway's login, with its password") }),
  readOnly: false,
  idempotent: false,
  syncBefore: "none",
  run: async (_dex: Dex, input, context) => ({ url: await createGateway(await typedUrl(input.url, context)) }),
});

async function typedUrl(typed: string | undefined, context: OperationContext): Promise<string> {
  const value = typed === undefined || typed === "-" ? await context.value?.("URL of the server") : typed;
  if (value !== undefined && URL.canParse(value) && /^postgres(?:ql)?:$/.test(new URL(value).protocol)) return value;
  throw new DexError("bad_team_url", "The address of the server is missing, or is not a PostgreSQL address.", {
    hint: "It looks like postgres://user:password@host:5432/database.",
  });
}
