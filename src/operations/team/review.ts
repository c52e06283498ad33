/** `dex team review`: the conversations and notes that will leave this machine, and a person's objections to them. */
import * as z from "zod";
import { gateRules } from "../../project/team/push.ts";
import { selectConversations } from "../../project/team/selection.ts";
import { resolveConversation } from "../../search/filters/resolve.ts";
import { notJoined } from "../../team/access.ts";
import { passGate } from "../../team/gate/gate.ts";
import { hasTeam } from "../../team/joined.ts";
import { pendingNotes } from "../../team/pushing_notes.ts";
import { defineOperation } from "../operation.ts";

const MAX_SHOWN = 1000;

export const teamReview = defineOperation({
  name: "dex_team_review",
  verb: "team review",
  summary: "Show which conversations, decisions and notes will leave this machine, and hold conversations back",
  positionals: [],
  input: z.strictObject({
    object: z.array(z.string().max(1000)).max(1000).default([]).describe("Conversations that must not leave"),
    allow: z.array(z.string().max(1000)).max(1000).default([]).describe("Conversations that may leave after all"),
    approve: z.boolean().default(false).describe("End the review period: the next push takes everything shown"),
    check: z.boolean().default(false).describe("Run the gate over each one and count what it would redact"),
    limit: z.number().int().min(1).max(MAX_SHOWN).default(50).describe("Conversations and notes to show"),
  }),
  output: z.object({
    conversations: z.array(
      z.object({
        source: z.string(),
        id: z.string(),
        title: z.string(),
        /** The folder it was held in: that of the project, or of a copy. */
        project: z.string(),
        scope: z.string(),
        messages: z.number(),
        bytes: z.number(),
        opens: z.string(),
        redactions: z.number().optional(),
        held: z.string().optional(),
      }),
    ),
    total: z.number(),
    notes: z.array(
      z.object({
        kind: z.string().describe("decision, pin, note or gotcha"),
        id: z.string(),
        text: z.string().describe("As it would leave"),
        scope: z.string(),
        opens: z.string(),
      }),
    ),
    notes_total: z.number(),
    objected: z.number(),
    excluded: z.number(),
    headless: z.number(),
  }),
  readOnly: false,
  idempotent: true,
  syncBefore: "conversations",
  run: (dex, input) => {
    if (!hasTeam(dex.paths.team)) throw notJoined();
    const objecting = input.object.map((id) => resolveConversation(dex, id));
    const allowing = input.allow.map((id) => resolveConversation(dex, id));
    return dex.withState((state) => {
      const { team } = state;
      const now = dex.now();
      for (const { source, id } of objecting) team.object(source, id, now);
      for (const { source, id } of allowing) team.allow(source, id);
      if (input.approve) {
        for (const share of team.shares()) if (share.opens > now) team.share({ ...share, opens: now });
      }
      const { leaving, ...counts } = selectConversations(dex, team);
      const pushed = new Map(team.pushed().map((row) => [`${row.source}\0${row.id}`, row.localBytes]));
      const todo = leaving.filter(({ candidate: { source, id, bytes } }) => pushed.get(`${source}\0${id}`) !== bytes);
      const rules = gateRules(dex, JSON.parse(team.value("patterns") ?? "[]") as string[]);
      const conversations = todo.slice(0, input.limit).map(({ candidate, row, share }) => {
        const shown = {
          source: row.source,
          id: row.id,
          title: row.title,
          project: row.project ?? "",
          scope: share.scope,
          messages: row.messages,
          bytes: row.archive_bytes,
          opens: new Date(share.opens).toISOString(),
        };
        if (!input.check) return shown;
        const result = passGate({
          folder: dex.paths.archive,
          path: candidate.path,
          from: 0,
          tail: "",
          chain: "",
          rules,
        });
        if ("pieces" in result) return { ...shown, redactions: result.redactions };
        return { ...shown, held: "held" in result ? result.held : "it is being rewritten" };
      });
      const ids = new Set(leaving.map(({ candidate }) => candidate.id));
      const opens = new Map(team.shares().map((share) => [share.scope, new Date(share.opens).toISOString()]));
      const pending = pendingNotes(state, team.shares(), (id) => ids.has(id), rules);
      const notes = pending.slice(0, input.limit).map((note) => ({ ...note, opens: opens.get(note.scope) ?? "" }));
      return { conversations, total: todo.length, notes, notes_total: pending.length, ...counts };
    });
  },
});
