/** Renders the answers of the verbs of teams. */
import type * as z from "zod";
import { formatBytes, plural } from "../kernel/text.ts";
import { fullTime } from "../kernel/time.ts";
import type { teamAudit, teamPurge, teamSettings } from "../operations/team/administer.ts";
import type { teamCreate, teamGateway, teamUpgrade } from "../operations/team/create.ts";
import type { teamJoin, teamLeave } from "../operations/team/join.ts";
import type { teamInvite, teamMembers, teamRevoke, teamRole } from "../operations/team/people.ts";
import type { push, teamIndex } from "../operations/team/push.ts";
import type { teamReview } from "../operations/team/review.ts";
import type { teamShare, teamUnshare } from "../operations/team/share.ts";
import type { teamStatus } from "../operations/team/status.ts";
import type { teamTry } from "../operations/team/try.ts";
import { cleanLine } from "../text/clean.ts";
import { paint, type Terminal, when } from "./terminal/terminal.ts";

type Output<T extends { output: z.ZodType }> = z.output<T["output"]>;

const MAX_TITLE = 100;
const MAX_PATH = 300;
const MAX_WORDS = 400;

function renderCreate({ team, member }: Output<typeof teamCreate>): string {
  return [
    `The team ${team} is ready, and you are its admin ${member}.`,
    "Invite others with `dex team invite <name>`; share a project with `dex team share <folder>`.",
  ].join("\n");
}

function renderInvite({ member, invitation, days, via }: Output<typeof teamInvite>): string {
  const where = via === "gateway" ? ", through the gateway" : "";
  const line = `Send this to ${member}. It works once, for ${plural(days, "day")}${where}:`;
  return [line, "", `dex team join ${invitation}`].join("\n");
}

function renderGateway({ url }: Output<typeof teamGateway>): string {
  return [
    "The login of the gateway. Keep it in a file that only the gateway's account can read; it is not shown again:",
    "",
    url,
    "",
    "dex team serve --url-file <file> --listen 0.0.0.0:8443 --cert <file> --key <file>",
  ].join("\n");
}

function renderJoin({ team, member, role, machine }: Output<typeof teamJoin>): string {
  return [
    `You have joined ${team} as ${member} (${role}) with the machine ${machine}.`,
    "Nothing leaves this machine until you share a project: `dex team share <folder>`.",
  ].join("\n");
}

function renderLeave({ team, withdrawn }: Output<typeof teamLeave>): string {
  const gone =
    withdrawn > 0 ? ` ${plural(withdrawn, "conversation was", "conversations were")} removed from its server.` : "";
  return `This machine has left ${team ?? "the team"}.${gone}`;
}

function renderMembers({ team, members }: Output<typeof teamMembers>, terminal: Terminal): string {
  const lines = members.map(({ name, role, machines, devices, state, you }) => {
    const who = `${paint(terminal, "bold", cleanLine(name))}${you ? " (you)" : ""}`;
    const shown = devices.length > 0 ? devices.map(deviceText) : machines;
    // A machine is named by whoever set it up.
    const where = shown.length > 0 ? `: ${shown.map((text) => cleanLine(text)).join(", ")}` : "";
    return state === "active" ? `${who}, ${role}${where}` : `${who}, ${role}, ${state}`;
  });
  return [`${team}, ${plural(members.length, "member")}`, ...lines].join("\n");
}

/** The number is for `dex team revoke --device`. */
function deviceText({
  device,
  machine,
  via,
}: Output<typeof teamMembers>["members"][number]["devices"][number]): string {
  return `${machine ?? "invited"} (${device}${via === "gateway" ? ", gateway" : ""})`;
}

function renderRole({ member, role }: Output<typeof teamRole>): string {
  return `${member} is now ${role === "admin" ? "an" : "a"} ${role}.`;
}

function renderRevoke({ member, machines, device, removed }: Output<typeof teamRevoke>): string {
  if (device !== undefined) return `The machine ${device} of ${member} has no access any more.`;
  return `${member} has no access any more (${plural(machines, "machine")}). ${
    removed === undefined
      ? "Their conversations stay."
      : `${plural(removed, "conversation")} removed from the server, and their decisions and notes.`
  }`;
}

function renderShare({ scope, root, conversations, opens }: Output<typeof teamShare>, terminal: Terminal): string {
  const at = Date.parse(opens);
  const line = `${root} is shared as ${scope}: ${plural(conversations, "conversation")}.`;
  if (at <= terminal.now) return `${line}\nThe next \`dex push\` takes them.`;
  const hours = Math.max(1, Math.round((at - terminal.now) / 3_600_000));
  return [
    line,
    `The first push is in ${plural(hours, "hour")}. \`dex team review\` shows what will leave, and holds some back.`,
  ].join("\n");
}

function renderUnshare({ scope, removed }: Output<typeof teamUnshare>): string {
  return `${scope} is no longer shared. ${plural(removed, "conversation")} removed from the server.`;
}

function renderStatus(output: Output<typeof teamStatus>, terminal: Terminal): string {
  const { server, team, problem, hint, projects, held, objected, forgets } = output;
  const lines = [
    team
      ? `${paint(terminal, "bold", team.name)} at ${server}: you are ${cleanLine(team.member)} (${team.role}) on ${cleanLine(team.machine ?? "this machine")}`
      : `${server}: ${problem ?? "no answer"}${hint === undefined ? "" : `\n${hint}`}`,
    ...projects.map((each) => {
      const mine = each.shared_by_me ? `${each.pushed} of ${each.local} pushed` : "not shared by you";
      const waits =
        each.opens !== undefined && Date.parse(each.opens) > terminal.now
          ? `, opens ${when(terminal, each.opens)}`
          : "";
      const there =
        each.conversations === undefined
          ? ""
          : `; on the server: ${plural(each.conversations, "conversation")}, ${plural(each.messages ?? 0, "message")}`;
      return `${each.scope}: ${mine}${waits}${there}`;
    }),
  ];
  if (projects.length === 0) lines.push("No project is shared. `dex team share <folder>` shares one.");
  for (const { id, why } of held.slice(0, 10)) lines.push(paint(terminal, "yellow", `held back: ${id}: ${why}`));
  if (objected > 0) lines.push(`${plural(objected, "conversation")} held back by you`);
  if (forgets > 0) lines.push(`${plural(forgets, "conversation")} to be forgotten with the next push`);
  return lines.join("\n");
}

function renderReview(output: Output<typeof teamReview>, terminal: Terminal): string {
  const { conversations, total, notes, notes_total, objected, excluded, headless } = output;
  const whenOf = (opens: string): string =>
    Date.parse(opens) > terminal.now ? `from ${when(terminal, opens)}` : "with the next push";
  const lines = conversations.map((each) => {
    const leaves = whenOf(each.opens);
    const found = each.redactions === undefined ? "" : `, ${plural(each.redactions, "more secret")} redacted`;
    const stays = each.held === undefined ? leaves : `held back: ${cleanLine(each.held, MAX_TITLE)}`;
    const title = paint(terminal, "bold", cleanLine(each.title, MAX_TITLE));
    return `${title}\n  ${each.id}, ${plural(each.messages, "message")}, ${each.scope}, ${stays}${found}\n  ${cleanLine(each.project, MAX_PATH)}`;
  });
  if (total > conversations.length) lines.push(`… and ${total - conversations.length} more (--limit)`);
  for (const { kind, id, text, scope, opens } of notes) {
    const title = paint(terminal, "bold", cleanLine(text, MAX_TITLE));
    lines.push(`${kind}: ${title}\n  ${id}, ${scope}, ${whenOf(opens)}`);
  }
  if (notes_total > notes.length) lines.push(`… and ${notes_total - notes.length} more notes (--limit)`);
  if (lines.length === 0) lines.push("Nothing waits to leave this machine.");
  const kept = [
    ...(objected > 0 ? [`${objected} held back by you`] : []),
    ...(excluded > 0 ? [`${excluded} excluded by the settings`] : []),
    ...(headless > 0 ? [`${headless} of programs`] : []),
  ];
  if (kept.length > 0) lines.push(paint(terminal, "dim", `stays here: ${kept.join(", ")}`));
  return lines.join("\n");
}

function renderPush(output: Output<typeof push>, terminal: Terminal): string {
  const { projects, conversations, bytes, redactions, held, waiting, forgotten, notes, index, dry_run, ms } = output;
  const verb = dry_run ? "would be pushed" : "pushed";
  const nothing =
    projects > 0
      ? "Nothing new to push."
      : "Nothing to push: no project is shared. `dex team share <folder>` shares one.";
  const took = dry_run ? "" : ` in ${(ms / 1000).toFixed(1)} s`;
  const lines = [
    ...(conversations > 0 ? [`${plural(conversations, "conversation")} ${verb} (${formatBytes(bytes)})${took}`] : []),
    ...(notes > 0 ? [`${plural(notes, "decision or note", "decisions and notes")} ${verb}`] : []),
  ];
  if (lines.length === 0) lines.push(nothing);
  if (output.reader) lines.push("You are a reader of this team: nothing of yours leaves this machine.");
  if (redactions > 0) lines.push(`${plural(redactions, "more secret")} redacted on the way out`);
  if (waiting > 0)
    lines.push(
      `${plural(waiting, "conversation waits", "conversations wait")} for the end of the review: \`dex team review\``,
    );
  if (forgotten > 0)
    lines.push(`${plural(forgotten, "conversation")} ${dry_run ? "to be " : ""}removed from the server`);
  if (index === "background") lines.push("The team's index is being updated in the background.");
  for (const { id, why } of held.slice(0, 10)) {
    lines.push(paint(terminal, "yellow", `held back: ${id}: ${cleanLine(why, MAX_TITLE)}`));
  }
  return lines.join("\n");
}

function renderIndex({ conversations, messages, busy }: Output<typeof teamIndex>): string {
  if (busy) return "Another process of this machine is updating the team's index.";
  if (conversations === 0) return "The team's index is up to date.";
  return `${plural(conversations, "conversation")} indexed (${plural(messages, "message")}).`;
}

function renderPurge({ tables, partitions }: Output<typeof teamPurge>): string {
  return `${plural(tables, "table")} rewritten (${plural(partitions, "partition")}). Logs of the server and backups may keep older bytes for as long as they are kept.`;
}

function renderAudit({ entries }: Output<typeof teamAudit>, terminal: Terminal): string {
  const lines = entries.map(
    ({ at, member, words }) =>
      `${paint(terminal, "dim", fullTime(at))}  ${cleanLine(member ?? "The server")} ${cleanLine(words, MAX_WORDS)}`,
  );
  return lines.length > 0 ? lines.join("\n") : "Nothing is recorded.";
}

function renderSettings({ review_hours, patterns, gateway }: Output<typeof teamSettings>): string {
  const shown = patterns.length > 0 ? patterns.map((each) => `  ${each}`) : ["  none"];
  return [
    `${plural(review_hours, "hour")} of review after sharing a project`,
    "patterns that every push redacts:",
    ...shown,
    gateway === undefined ? "no gateway: invitations make direct logins" : `invitations lead to the gateway ${gateway}`,
  ].join("\n");
}

function renderUpgrade({ from, to, epoch }: Output<typeof teamUpgrade>): string {
  const line = from === to ? `The schema is up to date (version ${to}).` : `Upgraded from version ${from} to ${to}.`;
  return epoch === undefined
    ? line
    : `${line}\nEvery machine compares what it pushed with the server at its next push.`;
}

function renderTry({ state, members, conversations, folder, port }: Output<typeof teamTry>): string {
  if (state === "removed") return "The trial is removed: the server, its files, and the access to it.";
  if (state !== "made")
    return `The server of the trial ${state === "started" ? "runs again" : "is running"} on port ${port}.`;
  return [
    `A team of ${plural(members.length, "member")} (${members.join(", ")}) with ${plural(conversations, "conversation")}.`,
    `PostgreSQL listens on 127.0.0.1:${port}; its files are in ${folder}.`,
    "Try `dex search --team rate limit`, `dex team members`, `dex team share <folder>`. `dex team try --remove` removes all of it.",
  ].join("\n");
}

export const TEAM_RENDERERS = {
  push: renderPush,
  "team create": renderCreate,
  "team invite": renderInvite,
  "team join": renderJoin,
  "team leave": renderLeave,
  "team members": renderMembers,
  "team role": renderRole,
  "team revoke": renderRevoke,
  "team share": renderShare,
  "team unshare": renderUnshare,
  "team status": renderStatus,
  "team review": renderReview,
  "team settings": renderSettings,
  "team audit": renderAudit,
  "team index": renderIndex,
  "team purge": renderPurge,
  "team gateway": renderGateway,
  "team upgrade": renderUpgrade,
  "team try": renderTry,
};
