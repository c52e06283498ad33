/** `dex team status`: the team, what is shared, and what waits. Answers without the server, too. */
import * as z from "zod";
import { defined } from "../../kernel/defined.ts";
import { DexError, errorMessage } from "../../kernel/errors.ts";
import { selectConversations } from "../../project/team/selection.ts";
import { notJoined, openTeam, readAccess } from "../../team/access.ts";
import { hasTeam } from "../../team/joined.ts";
import { defineOperation } from "../operation.ts";

const CONNECT_MS = 3000;

export const teamStatus = defineOperation({
  name: "dex_team_status",
  verb: "team status",
  summary: "Show the team, the projects shared with it, and what waits to be pushed",
  positionals: [],
  input: z.strictObject({}),
  output: z.object({
    server: z.string().describe("Host and database, without the login"),
    team: z
      .object({ name: z.string(), member: z.string(), role: z.string(), machine: z.string().nullable() })
      .nullable(),
    problem: z.string().optional().describe("Why the server gave no answer"),
    hint: z.string().optional().describe("The next step where there is a problem"),
    projects: z.array(
      z.object({
        scope: z.string(),
        shared_by_me: z.boolean(),
        opens: z.string().optional(),
        /** Of this machine: all, and those whose every byte is on the server. */
        local: z.number(),
        pushed: z.number(),
        /** On the server, of all members. */
        conversations: z.number().optional(),
        messages: z.number().optional(),
      }),
    ),
    held: z.array(z.object({ source: z.string(), id: z.string(), why: z.string() })),
    objected: z.number(),
    forgets: z.number().describe("Conversations that the server has yet to forget"),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "none",
  web: false,
  run: async (dex) => {
    if (!hasTeam(dex.paths.team)) throw notJoined();
    const local = dex.withState(({ team }) => ({
      shares: team.shares(),
      selection: selectConversations(dex, team),
      pushed: team.pushed(),
      forgets: team.forgets().length,
    }));
    const remote = await ask(dex.paths.team);
    const counts = new Map(remote.scopes.map((row) => [String(row.key), row]));
    const scopes = new Set([...local.shares.map(({ scope }) => scope), ...counts.keys()]);
    const whole = new Map(local.pushed.map((row) => [`${row.source}\0${row.id}`, row]));
    const projects = [...scopes].sort().map((scope) => {
      const share = local.shares.find((each) => each.scope === scope);
      const leaving = local.selection.leaving.filter((each) => each.share.scope === scope);
      const there = counts.get(scope);
      return {
        scope,
        shared_by_me: share !== undefined,
        ...(share ? { opens: new Date(share.opens).toISOString() } : {}),
        local: leaving.length,
        pushed: leaving.filter(
          ({ candidate: { source, id, bytes } }) => whole.get(`${source}\0${id}`)?.localBytes === bytes,
        ).length,
        ...(there ? { conversations: Number(there.conversations), messages: Number(there.messages) } : {}),
      };
    });
    const held = local.pushed.flatMap(({ source, id, held: why }) => (why === null ? [] : [{ source, id, why }]));
    return {
      server: placeOf(readAccess(dex.paths.team)?.url),
      team: remote.team,
      ...defined({ problem: remote.problem, hint: remote.hint }),
      projects,
      held,
      objected: local.selection.objected,
      forgets: local.forgets,
    };
  },
});

type Asked = {
  team: { name: string; member: string; role: string; machine: string | null } | null;
  scopes: Record<string, unknown>[];
  problem?: string;
  hint?: string | undefined;
};

async function ask(folder: string): Promise<Asked> {
  try {
    const { link, hello } = await openTeam(folder, { connectMs: CONNECT_MS, callMs: CONNECT_MS });
    try {
      const team = { name: hello.team, member: hello.name, role: hello.role, machine: hello.machine };
      return { team, scopes: await link.call("scopes") };
    } finally {
      await link.close();
    }
  } catch (error) {
    const hint = error instanceof DexError ? error.hint : undefined;
    return { team: null, scopes: [], problem: errorMessage(error), hint };
  }
}

function placeOf(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return "unknown";
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}
