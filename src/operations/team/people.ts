/** `dex team invite`, `members`, `role` and `revoke`. */
import * as z from "zod";
import { DexError } from "../../kernel/errors.ts";
import { type Hello, isGateway, notJoined, readAccess, type Session } from "../../team/access.ts";
import { invite } from "../../team/invitation.ts";
import { defineOperation } from "../operation.ts";
import { nameField, roleField, withTeam } from "./session.ts";

const viaField = z.enum(["login", "gateway"]).describe("A login of PostgreSQL, or a token of the gateway");

function viaOf(gateway: boolean): z.output<typeof viaField> {
  return gateway ? "gateway" : "login";
}

export const teamInvite = defineOperation({
  name: "dex_team_invite",
  verb: "team invite",
  summary: "Invite a person, or another machine of a member, with a line to send them",
  positionals: ["member"],
  input: z.strictObject({
    member: nameField.optional().describe("The person's name in the team (default: yourself, for another machine)"),
    role: roleField.optional().describe("reader: searches; member (default): also pushes; admin: also manages"),
    days: z.number().int().min(1).max(90).default(7).describe("Days for which the invitation is valid"),
    direct: z
      .boolean()
      .default(false)
      .describe("Make a PostgreSQL login although the team has a gateway (`dex team settings --gateway`)"),
  }),
  output: z.object({ member: z.string(), invitation: z.string(), days: z.number(), via: viaField }),
  readOnly: false,
  idempotent: false,
  syncBefore: "none",
  run: (dex, input) =>
    withTeam(dex, async ({ link, hello }) => {
      const access = readAccess(dex.paths.team);
      if (!access) throw notJoined();
      const name = input.member ?? hello.name;
      const url = input.direct ? access.url : (hello.settings.gateway ?? access.url);
      if (input.direct && isGateway(url)) throw noDirect();
      const invitation = await invite(link, url, { name, role: input.role, days: input.days });
      return { member: name, invitation, days: input.days, via: viaOf(isGateway(url)) };
    }),
});

const members = z.array(
  z.object({
    name: z.string(),
    role: roleField,
    machines: z.array(z.string()),
    devices: z.array(
      z.object({
        device: z.number(),
        machine: z.string().nullable().describe("null: invited, has not joined"),
        via: viaField,
        joined: z.string().optional(),
        expires: z.string().optional().describe("Of the invitation"),
      }),
    ),
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
    withTeam(dex, async (session) => {
      const { link, hello } = session;
      const devices = await devicesOf(session);
      const members = (await link.call("members")).map((row) => ({
        name: String(row.name),
        role: roleField.parse(row.role),
        machines: (row.machines as string[]) ?? [],
        devices: devices.filter(({ member }) => member === Number(row.member)).map(({ shown }) => shown),
        state: row.revoked ? ("revoked" as const) : row.pending ? ("invited" as const) : ("active" as const),
        you: Number(row.member) === hello.member,
      }));
      return { team: hello.team, members };
    }),
});

interface Device {
  member: number;
  shown: { device: number; machine: string | null; via: "login" | "gateway"; joined?: string; expires?: string };
}

async function devicesOf({ link }: Session): Promise<Device[]> {
  return (await link.call("devices")).map((row) => ({
    member: Number(row.member),
    shown: {
      device: Number(row.device),
      machine: row.machine === null ? null : String(row.machine),
      via: viaOf(row.gateway === true),
      ...(row.joined === null ? {} : { joined: new Date(Number(row.joined)).toISOString() }),
      ...(row.expires === null ? {} : { expires: new Date(Number(row.expires)).toISOString() }),
    },
  }));
}

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
  summary: "End a member's access, on all of their machines or on one; their conversations stay unless you remove them",
  positionals: ["member"],
  input: z.strictObject({
    member: nameField.describe("The member's name"),
    device: z
      .number()
      .int()
      .min(1)
      .max(2 ** 31 - 1)
      .optional()
      .describe("Only this machine or open invitation: its number from `dex team members`"),
    remove: z.boolean().default(false).describe("Also remove their conversations, decisions and notes from the server"),
  }),
  output: z.object({
    member: z.string(),
    machines: z.number(),
    device: z.number().optional(),
    removed: z.number().optional(),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: (dex, input) =>
    withTeam(dex, async ({ link, hello }) => {
      const known = (await link.call("members")).some(({ name }) => name === input.member);
      if (!known) throw unknownMember(input.member);
      if (input.remove) checkRemoval(input, hello);
      const [row] = await link.call("revoke", input.member, input.device ?? null);
      const machines = Number(row?.machines);
      if (input.device !== undefined && machines === 0) throw unknownDevice(input.member, input.device);
      const about = { member: input.member, machines, ...(input.device === undefined ? {} : { device: input.device }) };
      if (!input.remove) return about;
      return { ...about, removed: Number((await link.call("removeMember", input.member))[0]?.removed) };
    }),
});

/** Before anything is done: a member keeps their conversations as long as they have access. */
function checkRemoval({ member, device }: { member: string; device?: number | undefined }, hello: Hello): void {
  if (device !== undefined) {
    throw new DexError("bad_input", "--remove removes everything of a member, and --device names one machine.", {
      hint: "Leave one of them out.",
    });
  }
  if (hello.role !== "admin") {
    throw new DexError("team_role", `Only an admin removes what ${member} pushed.`, {
      hint: "`dex team leave --withdraw` and `dex team unshare` remove your own.",
    });
  }
}

function unknownMember(name: string): DexError {
  return new DexError("team_member", `The team has no member called "${name}".`, {
    hint: "`dex team members` lists them.",
  });
}

function unknownDevice(name: string, device: number): DexError {
  return new DexError("team_member", `"${name}" has no machine with the number ${device}.`, {
    hint: "`dex team members` lists them.",
  });
}

function noDirect(): DexError {
  return new DexError(
    "team_gateway",
    "This machine reaches the team through a gateway, which makes no direct logins.",
    {
      hint: "Leave --direct out, or run it on a machine with a login of its own.",
    },
  );
}
