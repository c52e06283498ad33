/** `dex push`: sends new parts of shared conversations to the team. `dex team index` completes the team's index. */
import * as z from "zod";
import { DexError } from "../../kernel/errors.ts";
import { connectEarly } from "../../project/team/connecting.ts";
import { gateRules, pushToTeam } from "../../project/team/push.ts";
import { selectConversations } from "../../project/team/selection.ts";
import { indexNow } from "../../project/team/team_index.ts";
import { notJoined, withTeam } from "../../team/access.ts";
import { hasTeam } from "../../team/joined.ts";
import { objectedIn, pending, readLedger, rulesHash } from "../../team/push.ts";
import { VERSION } from "../../version.ts";
import { defineOperation } from "../operation.ts";

export const push = defineOperation({
  name: "dex_push",
  verb: "push",
  summary: "Push new parts of shared conversations to the team, after a second redaction",
  positionals: [],
  input: z.strictObject({
    dry_run: z.boolean().default(false).describe("Show what would be pushed; nothing leaves this machine"),
    wait: z
      .boolean()
      .default(false)
      .describe("Wait until the team's index contains everything, instead of indexing a large push in the background"),
  }),
  output: z.object({
    projects: z.number().describe("Projects that this machine shares"),
    conversations: z.number(),
    bytes: z.number(),
    redactions: z.number().describe("Secrets that only the second gate found"),
    held: z.array(z.object({ source: z.string(), id: z.string(), why: z.string() })),
    waiting: z.number().describe("Conversations whose review period is not over"),
    forgotten: z.number().describe("Conversations that were removed from the server: forgotten here, or objected to"),
    notes: z.number().describe("Decisions and notes that are new on the server, changed or removed"),
    reader: z.boolean().optional().describe("The role of this machine's member is reader, so nothing is pushed"),
    index: z.enum(["current", "background"]).describe("`background`: the team finds what was pushed a little later"),
    dry_run: z.boolean(),
    ms: z.number(),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "conversations",
  waits: true,
  prepare: async (dex, { dry_run }) => {
    if (!dry_run && hasTeam(dex.paths.team)) await connectEarly(dex);
  },
  run: async (dex, input, context) => {
    if (!hasTeam(dex.paths.team)) throw notJoined();
    const begin = performance.now();
    const since = () => Math.round(performance.now() - begin);
    if (input.dry_run) {
      // A push with nothing new needs no redaction.
      const { pendingNotes } = await import("../../team/pushing_notes.ts");
      return dex.withState((state) => {
        const { team } = state;
        const now = dex.now();
        const { leaving } = selectConversations(dex, team);
        const ready = leaving.filter(({ share }) => share.opens <= now);
        const gate = gateRules(dex, JSON.parse(team.value("patterns") ?? "[]") as string[]);
        const rules = rulesHash(VERSION, gate);
        const ledger = readLedger(team);
        const todo = pending(
          ready.map(({ candidate }) => candidate),
          ledger,
          rules,
        );
        const bytes = todo.reduce((sum, each) => sum + each.bytes, 0);
        const waiting = leaving.length - ready.length;
        const projects = team.shares().length;
        const ids = new Set(ready.map(({ candidate }) => candidate.id));
        const open = team.shares().filter(({ opens }) => opens <= now);
        const notes = pendingNotes(state, open, (id) => ids.has(id), gate).length;
        const nothing = {
          redactions: 0,
          held: [],
          forgotten: team.forgets().length + objectedIn(team, ledger).length,
          notes,
          index: "current" as const,
        };
        return { projects, conversations: todo.length, bytes, waiting, ...nothing, dry_run: true, ms: since() };
      });
    }
    const report = await pushToTeam(dex, {
      signal: context.signal,
      wait: input.wait,
      progress: (done, total) => context.progress?.(done, total, "Pushing"),
    });
    if (!report) {
      throw new DexError("busy", "Another dex process is pushing.", { hint: "Try again when it has finished." });
    }
    return { ...report, dry_run: false, ms: since() };
  },
});

export const teamIndex = defineOperation({
  name: "dex_team_index",
  verb: "team index",
  summary: "Complete the team's index of the conversations that you pushed",
  positionals: [],
  input: z.strictObject({}),
  output: z.object({
    conversations: z.number(),
    messages: z.number(),
    merges: z.number(),
    busy: z.boolean().describe("Another process of this machine is doing it"),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  waits: true,
  run: (dex) =>
    withTeam(dex.paths.team, {}, async (session) => {
      const done = await indexNow(dex, session);
      return { ...(done ?? { conversations: 0, messages: 0, merges: 0 }), busy: done === undefined };
    }),
});
