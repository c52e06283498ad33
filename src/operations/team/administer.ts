/** `dex team purge`, `audit` and `settings`: for admins. */
import * as z from "zod";
import { defined } from "../../kernel/defined.ts";
import { DexError } from "../../kernel/errors.ts";
import { isLoopback } from "../../kernel/net/loopback.ts";
import { checkGatewaySchema } from "../../store/postgres/schema/range.ts";
import { PARTITIONED, PARTITIONS } from "../../store/postgres/schema/tables.ts";
import { withTeam as inTeam } from "../../team/access.ts";
import { isSlowPattern } from "../../team/gate/slow_patterns.ts";
import { defineOperation } from "../operation.ts";
import { auditWords } from "./audit_words.ts";
import { withTeam } from "./session.ts";

const PURGE_MS = 10 * 60_000;

export const teamPurge = defineOperation({
  name: "dex_team_purge",
  verb: "team purge",
  summary: "Rewrite the server's tables, so that their files no longer contain what was forgotten",
  positionals: [],
  input: z.strictObject({}),
  output: z.object({ tables: z.number(), partitions: z.number() }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  waits: true,
  run: (dex, _input, context) =>
    inTeam(dex.paths.team, { callMs: PURGE_MS }, async ({ link }) => {
      const all = PARTITIONED.flatMap((table) => Array.from({ length: PARTITIONS }, (_, part) => ({ table, part })));
      for (const [done, { table, part }] of all.entries()) {
        context.signal?.throwIfAborted();
        await link.call("purgePartition", table, part);
        context.progress?.(done + 1, all.length, "Rewriting");
      }
      return { tables: PARTITIONED.length, partitions: all.length };
    }),
});

export const teamAudit = defineOperation({
  name: "dex_team_audit",
  verb: "team audit",
  summary: "Show who invited, joined, shared, withdrew or forgot, the latest first",
  positionals: [],
  input: z.strictObject({ limit: z.number().int().min(1).max(1000).default(50).describe("Entries to show") }),
  output: z.object({
    entries: z.array(
      z.object({
        at: z.string(),
        member: z.string().nullable(),
        what: z.string(),
        detail: z.string(),
        words: z.string().describe("The entry as a phrase, with the names of members and projects"),
      }),
    ),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  web: false,
  run: (dex, input) =>
    withTeam(dex, async ({ link }) => {
      const rows = await link.call("audit", input.limit);
      const members = new Map((await link.call("members")).map((row) => [Number(row.member), String(row.name)]));
      const scopes = new Map((await link.call("scopes")).map((row) => [Number(row.scope), String(row.key)]));
      const entries = rows.map((row) => ({
        at: new Date(Number(row.at)).toISOString(),
        member: row.name === null ? null : String(row.name),
        what: String(row.what),
        detail: JSON.stringify(row.detail),
        words: auditWords(String(row.what), (row.detail ?? {}) as Record<string, unknown>, { members, scopes }),
      }));
      return { entries };
    }),
});

export const teamSettings = defineOperation({
  name: "dex_team_settings",
  verb: "team settings",
  summary: "Show or change the team's settings: hours of review, patterns that every push redacts, the gateway",
  positionals: [],
  input: z.strictObject({
    review_hours: z.number().min(0).max(8760).optional().describe("Hours between sharing a project and its first push"),
    pattern: z
      .array(z.string().min(2).max(200))
      .max(50)
      .optional()
      .describe("Regular expressions whose matches every push replaces; they replace the earlier patterns"),
    no_patterns: z.boolean().default(false).describe("Remove all patterns"),
    gateway: z.string().max(500).optional().describe("https://… of the team's gateway: later invitations lead there"),
    no_gateway: z.boolean().default(false).describe("Invitations make direct logins again"),
  }),
  output: z.object({ review_hours: z.number(), patterns: z.array(z.string()), gateway: z.string().optional() }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: (dex, input) =>
    withTeam(dex, async ({ link, hello }) => {
      const patterns = input.no_patterns ? [] : input.pattern;
      for (const pattern of patterns ?? []) checkPattern(pattern);
      const address = input.gateway === undefined ? undefined : gatewayAddress(input.gateway);
      if (address !== undefined || input.no_gateway) {
        checkGatewaySchema(hello.schema);
        await link.call("setting", "gateway", address ?? null);
      }
      if (patterns) await link.call("setting", "patterns", patterns);
      if (input.review_hours !== undefined) await link.call("setting", "review_hours", input.review_hours);
      return {
        review_hours: input.review_hours ?? hello.settings.review_hours ?? 24,
        patterns: patterns ?? hello.settings.patterns ?? [],
        ...defined({ gateway: address ?? (input.no_gateway ? undefined : hello.settings.gateway) }),
      };
    }),
});

/** Without a login: each device has a token of its own. */
function gatewayAddress(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(typed));
  if (url && isSafe && url.username === "" && url.password === "" && url.search === "" && url.hash === "") {
    return url.href;
  }
  throw new DexError("bad_value", `"${typed}" is not the address of a gateway.`, {
    hint: "It looks like https://dex.example.com, without a login.",
  });
}

function checkPattern(pattern: string): void {
  try {
    new RegExp(pattern, "gu");
  } catch {
    throw new DexError("bad_value", `"${pattern}" is not a regular expression.`, {
      hint: "dex uses JavaScript's syntax with the flag u.",
    });
  }
  if (isSlowPattern(pattern)) {
    throw new DexError("bad_value", `"${pattern}" takes too long for some texts: it repeats a repetition.`, {
      hint: "Repeat a part that can match a text in one way only, for example `\\w+` instead of `(\\w+)*`.",
    });
  }
}
