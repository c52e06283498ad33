/** `dex team invite`, `members`, `role` and `revoke`. */
import * as z from "zod";
import { DexError } from "../../kernel/errors.ts";
import { notJoined, readAccess } from "../../team/access.ts";
import { invite } from "../../team/invitation.ts";
import { defineOperation } from "../operation.ts";
import { nameField, roleField, withTeam } from "./session.ts";

export const teamInvite = defineOperation({
  name: "dex_team_invite",
  verb: "team invite",
  summary: "Invite a person, or a further machine of a member, with a line to send them",
  positionals: ["member"],
  input: z.strictObject({
    member: nameField.optional().describe("The person's name in the team (default: yourself, for another machine)"),
    role: roleField.optional().describe("reader: searches; member (default): also pushes; admin: also manages"),
    days: z.number().int().min(1).max(90).default(7).describe("Days for which the invitation is valid"),
  }),
  output: z.object({ member: z.string(), invitation: z.string(), days: z.number() }),
  readOnly: false,
  idempotent: false,
  syncBefore: "none",
  run: (dex, input) =>
    withTeam(dex, async ({ link, hello }) => {
      const access = readAccess(dex.paths.team);
      if (!access) throw notJoined();
      const name = input.member ?? hello.name;
      const invitation = await invite(link, access.url, { name, role: input.role, days: input.days });
      return { member: name, invitation, days: input.days };
    }),
});

const members = z.array(
  z.object({
    name: z.string(),
    role: roleField,
    machines: z.array(z.string()),
    state: z.enum(["active", "invited", "revoked"]),
    you: z.boolean(),
  }),
);

export const teamMembers = defineOperation({
  name: "dex_team_members",
  verb: "team members",
  summary: "List the members of the team with their roles and machines",
  positionals: [],
  input: z.strictObject({}),
  output: z.object({ team: z.string(), members }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  web: false,
  run: (dex) =>
    withTeam(dex, async ({ link, hello }) => ({
      team: hello.team,
      members: (await link.call("members")).map((row) => ({
        name: String(row.name),
        role: roleField.parse(row.role),
        machines: (row.machines as string[]) ?? [],
        state: row.revoked ? ("revoked" as const) : row.pending ? ("invited" as const) : ("active" as const),
        you: Number(row.member) === hello.member,
      })),
    })),
});

export const teamRole = defineOperation({
  name: "dex_team_role",
  verb: "team role",
  summary: "Change a member's role: reader, member or admin",
  positionals: ["member", "role"],
  input: z.strictObject({ member: nameField.describe("The member's name"), role: roleField.describe("The new role") }),
  output: z.object({ member: z.string(), role: roleField }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: (dex, input) =>
    withTeam(dex, async ({ link }) => {
      const [row] = await link.call("role", input.member, input.role);
      if (!row?.found) throw unknownMember(input.member);
      return input;
    }),
});

export const teamRevoke = defineOperation({
  name: "dex_team_revoke",
  verb: "team revoke",
  summary: "End a member's access on all of their machines; their conversations stay",
  positionals: ["member"],
  input: z.strictObject({ member: nameField.describe("The member's name") }),
  output: z.object({ member: z.string(), machines: z.number() }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: (dex, input) =>
    withTeam(dex, async ({ link }) => {
      const known = (await link.call("members")).some(({ name }) => name === input.member);
      if (!known) throw unknownMember(input.member);
      const [row] = await link.call("revoke", input.member, null);
      return { member: input.member, machines: Number(row?.machines) };
    }),
});

function unknownMember(name: string): DexError {
  return new DexError("team_member", `The team has no member called "${name}".`, {
    hint: "`dex team members` lists them.",
  });
}
