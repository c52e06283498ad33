/** `dex team share` and `dex team unshare`: consent to push the conversations of a project. */
import * as z from "zod";
import { findRepository } from "../../history/repository.ts";
import { DexError } from "../../kernel/errors.ts";
import { withRepository } from "../../project/repository.ts";
import { selectConversations } from "../../project/team/selection.ts";
import { isUnreachable } from "../../store/postgres/failure.ts";
import { forgetPushedNotes } from "../../team/notes.ts";
import { defineOperation } from "../operation.ts";
import { nameField, projectKeyOf, sharedKeyOf, withTeam } from "./session.ts";

const HOUR_MS = 3_600_000;
const DEFAULT_REVIEW_HOURS = 24;

const project = z.string().max(4096).optional().describe("The project's folder or name (default: the current one)");
const as = z
  .string()
  .min(1)
  .max(500)
  .optional()
  .describe("The name by which colleagues share the same project (default: its git remote)");

export const teamShare = defineOperation({
  name: "dex_team_share",
  verb: "team share",
  summary: "Share a project's conversations with the team, after a review period",
  positionals: ["project"],
  input: z.strictObject({
    project,
    as,
    with: z.array(nameField).max(100).optional().describe("Only with these members (default: the whole team)"),
    now: z.boolean().default(false).describe("Without the review period"),
  }),
  output: z.object({
    scope: z.string(),
    root: z.string(),
    conversations: z.number(),
    opens: z.string().describe("Nothing is pushed before"),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "conversations",
  run: (dex, input, context) =>
    withTeam(dex, async ({ link, hello }) => {
      const { root, key } = projectKeyOf(dex, input.project, input.as);
      // Conversations held in a copy of the repository are its own; refreshing the history finds the copies.
      if (findRepository(root)) await withRepository(dex, root, context, () => undefined);
      await link.call("share", key, input.with ?? null);
      const hours = dex.settings.team.reviewHours ?? hello.settings.review_hours ?? DEFAULT_REVIEW_HOURS;
      const now = dex.now();
      return dex.withState(({ team }) => {
        const before = team.shares().find(({ scope }) => scope === key);
        const opens = input.now ? now : (before?.opens ?? now + hours * HOUR_MS);
        team.share({ scope: key, root, at: before?.at ?? now, opens });
        const conversations = selectConversations(dex, team).leaving.filter(({ share }) => share.scope === key).length;
        return { scope: key, root, conversations, opens: new Date(opens).toISOString() };
      });
    }),
});

export const teamUnshare = defineOperation({
  name: "dex_team_unshare",
  verb: "team unshare",
  summary: "Stop pushing a project's conversations, and remove yours from the team's server",
  positionals: ["project"],
  input: z.strictObject({
    project,
    as,
    keep: z.boolean().default(false).describe("Keep on the server what was pushed"),
  }),
  output: z.object({ scope: z.string(), removed: z.number() }),
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  run: async (dex, input) => {
    const key = sharedKeyOf(dex, input.project, input.as);
    // First here: whatever the server says, nothing more leaves.
    dex.withState((state) => {
      state.team.unshare(key);
      forgetPushedNotes(state);
    });
    if (input.keep) return { scope: key, removed: 0 };
    try {
      return await withTeam(dex, async ({ link }) => {
        const [row] = await link.call("withdraw", key, null, null);
        return { scope: key, removed: Number(row?.removed) };
      });
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      throw new DexError(
        "team_unreachable",
        "Nothing more of this project leaves, but the team's server, which cannot be reached, still has what was pushed.",
        { hint: "Run this again when it is back, to remove that.", cause: error },
      );
    }
  },
});
