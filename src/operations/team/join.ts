/** `dex team join` and `dex team leave`. */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import * as z from "zod";
import { DexError } from "../../kernel/errors.ts";
import { isUnreachable } from "../../store/postgres/failure.ts";
import type { Row } from "../../store/postgres/statements.ts";
import { notJoined, removeAccess, type Session, withTeam, writeAccess } from "../../team/access.ts";
import { acceptInvitation } from "../../team/invitation.ts";
import { hasTeam } from "../../team/joined.ts";
import { defineOperation } from "../operation.ts";
import { alreadyJoined, machineName, TRIAL_FILE } from "./session.ts";

export const teamJoin = defineOperation({
  name: "dex_team_join",
  verb: "team join",
  summary: "Join a team with an invitation; nothing is pushed until you share a project",
  positionals: ["invitation"],
  input: z.strictObject({
    invitation: z
      .string()
      .max(4000)
      .optional()
      .describe("The line from `dex team invite`; with `-` or without a value, dex prompts for it"),
    machine: z.string().min(1).max(100).optional().describe("The name of this machine (default: its host name)"),
    ca: z.string().min(1).max(4096).optional().describe("File with the certificate of the server's private issuer"),
  }),
  output: z.object({ team: z.string(), member: z.string(), role: z.string(), machine: z.string() }),
  readOnly: false,
  idempotent: false,
  syncBefore: "none",
  run: async (dex, input, context) => {
    if (hasTeam(dex.paths.team)) throw alreadyJoined();
    const asked = input.invitation === undefined || input.invitation === "-";
    const text = asked ? await context.value?.("invitation") : input.invitation;
    if (text === undefined) {
      throw new DexError("bad_value", "No invitation was given.", {
        hint: "Give the line that `dex team invite` printed: `dex team join <invitation>`.",
      });
    }
    const machine = machineName(input.machine);
    try {
      const ca = input.ca === undefined ? undefined : resolve(dex.cwd, input.ca);
      const session = await acceptInvitation(text, machine, (access) => writeAccess(dex.paths.team, access), ca);
      await session.link.close();
      return { team: session.hello.team, member: session.hello.name, role: session.hello.role, machine };
    } catch (error) {
      // If the connection broke, the server may have accepted the invitation; only a refusal is final.
      if (!isUnreachable(error)) removeAccess(dex.paths.team);
      throw error;
    }
  },
});

export const teamLeave = defineOperation({
  name: "dex_team_leave",
  verb: "team leave",
  summary: "Leave the team on this machine; pushed conversations stay on the server unless you withdraw them",
  positionals: [],
  input: z.strictObject({
    withdraw: z.boolean().default(false).describe("Also remove your conversations from the team's server"),
    force: z
      .boolean()
      .default(false)
      .describe(
        "Leave even if the server cannot be reached, or this is the last machine of an admin; its access stays open",
      ),
  }),
  output: z.object({ team: z.string().nullable(), withdrawn: z.number() }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input) => {
    if (!hasTeam(dex.paths.team)) throw notJoined();
    let withdrawn = 0;
    let team: string | null = null;
    try {
      await withTeam(dex.paths.team, {}, async (session) => {
        const { link, hello } = session;
        team = hello.team;
        if (!input.force && !existsSync(join(dex.paths.team, TRIAL_FILE))) await refuseLastAdmin(session);
        if (input.withdraw) {
          for (const { key } of await link.call("scopes")) {
            withdrawn += Number((await link.call("withdraw", String(key), null, null))[0]?.removed ?? 0);
          }
        }
        await link.call("revoke", hello.name, hello.device);
      });
    } catch (error) {
      // An admin has ended the access: the server keeps nothing of this machine that could be ended.
      const isRevoked = error instanceof DexError && error.code === "team_access";
      if (isRevoked && input.withdraw && !input.force) throw cannotWithdraw(error);
      if (!isRevoked && !input.force && isUnreachable(error)) {
        throw new DexError(
          "team_unreachable",
          "The team's server, which ends the access of this machine, cannot be reached.",
          {
            hint: "Try again later, or leave with --force; an admin can then end this machine's access with `dex team revoke`.",
            cause: error,
          },
        );
      }
      if (!isRevoked && !input.force) throw error;
    }
    forgetFiles(dex.paths.team);
    if (dex.hasState) dex.withState((state) => state.team.clear());
    return { team, withdrawn };
  },
});

function cannotWithdraw(cause: unknown): DexError {
  return new DexError("team_access", "The team's server does not accept this login, so it removes nothing for you.", {
    hint: "Ask an admin of the team to remove your conversations, and leave without --withdraw.",
    cause,
  });
}

/**
 * The server refuses this too, but only after the conversations are withdrawn. Without a machine of an admin, nobody could
 * invite or revoke others any more.
 */
async function refuseLastAdmin({ link, hello }: Session): Promise<void> {
  if (hello.role !== "admin") return;
  const members = (await link.call("members")).filter(({ revoked, pending }) => !revoked && !pending);
  const machinesOf = ({ machines }: Row): number => (Array.isArray(machines) ? machines.length : 0);
  const others = members.filter((each) => each.name !== hello.name && machinesOf(each) > 0);
  const own = members.find(({ name }) => name === hello.name);
  if (others.length === 0 || others.some(({ role }) => role === "admin") || (own && machinesOf(own) > 1)) return;
  throw new DexError("team_last_admin", "The team would be left without an admin.", {
    hint: "Make someone else an admin first: `dex team role <name> admin`. With --force you leave all the same.",
  });
}

/** The access and everything cached; the server of a trial stays, for `dex team try --remove`. */
function forgetFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name !== TRIAL_FILE) rmSync(join(folder, name), { recursive: true, force: true });
  }
}
