/** `dex push`: sends new parts of shared conversations to the team. */
import * as z from "zod";
import { DexError } from "../../kernel/errors.ts";
import { gateRules, pushToTeam, selectConversations } from "../../project/team.ts";
import { notJoined } from "../../team/access.ts";
import { rulesHash } from "../../team/gate.ts";
import { hasTeam } from "../../team/joined.ts";
import { pending } from "../../team/push.ts";
import { VERSION } from "../../version.ts";
import { defineOperation } from "../operation.ts";

export const push = defineOperation({
  name: "dex_push",
  verb: "push",
  summary: "Push new parts of shared conversations to the team, after a second redaction",
  positionals: [],
  input: z.strictObject({
    dry_run: z.boolean().default(false).describe("Show what would be pushed; nothing leaves this machine"),
  }),
  output: z.object({
    conversations: z.number(),
    bytes: z.number(),
    redactions: z.number().describe("Secrets that only the second gate found"),
    held: z.array(z.object({ source: z.string(), id: z.string(), why: z.string() })),
    waiting: z.number().describe("Conversations whose time to object is not over"),
    forgotten: z.number().describe("Conversations that the server has now forgotten, too"),
    dry_run: z.boolean(),
    ms: z.number(),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "conversations",
  waits: true,
  run: async (dex, input, context) => {
    if (!hasTeam(dex.paths.team)) throw notJoined();
    const begin = performance.now();
    const since = () => Math.round(performance.now() - begin);
    if (input.dry_run) {
      return dex.withState(({ team }) => {
        const { leaving } = selectConversations(dex, team);
        const ready = leaving.filter(({ share }) => share.opens <= dex.now());
        const rules = rulesHash(VERSION, gateRules(dex, JSON.parse(team.value("patterns") ?? "[]") as string[]));
        const todo = pending(
          ready.map(({ candidate }) => candidate),
          team,
          rules,
        );
        const bytes = todo.reduce((sum, each) => sum + each.bytes, 0);
        const waiting = leaving.length - ready.length;
        const nothing = { redactions: 0, held: [], forgotten: team.forgets().length };
        return { conversations: todo.length, bytes, waiting, ...nothing, dry_run: true, ms: since() };
      });
    }
    const report = await pushToTeam(dex, {
      signal: context.signal,
      progress: (done, total) => context.progress?.(done, total, "Pushing"),
    });
    if (!report) {
      throw new DexError("busy", "Another dex process is pushing.", { hint: "Try again when it has finished." });
    }
    return { ...report, dry_run: false, ms: since() };
  },
});
