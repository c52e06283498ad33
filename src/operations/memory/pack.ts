/** `dex pack`: the context of a project for a new conversation, within a budget of tokens. */
import * as z from "zod";
import { frameSections } from "../../memory/frame.ts";
import { packSections } from "../../memory/pack.ts";
import {
  conversationsOf,
  decisionsFor,
  lastTurns,
  leadsFor,
  pinsAndPreferences,
  workLines,
} from "../../memory/pack_sources.ts";
import { memoriesWithTeam } from "../../memory/save.ts";
import { withRepository } from "../../project/repository.ts";
import { sessionRow } from "../../search/filters/session.ts";
import { fetchTeamNews } from "../../search/with_team.ts";
import { defineOperation } from "../operation.ts";
import { projectFolderField } from "../shared/fields.ts";
import { framedOutput, packTokensField } from "./fields.ts";

export const pack = defineOperation({
  name: "dex_pack",
  verb: "pack",
  summary:
    "Print this project's context in a few tokens: pins, decisions, recent work, files for a task, last messages",
  positionals: [],
  input: z.strictObject({
    task: z.string().trim().max(4000).optional().describe("The task: adds documents and conversations to open for it"),
    max_tokens: packTokensField(2000),
    session: z
      .string()
      .max(500)
      .optional()
      .describe("Whose last messages: current or an id (default: the project's latest)"),
    project: projectFolderField,
  }),
  output: z.object(framedOutput),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  traced: true,
  toolset: "memory",
  queryField: "task",
  run: (dex, input, context) =>
    withRepository(dex, input.project, context, async (open) => {
      const task = input.task === "" ? undefined : input.task;
      const { root } = open.repository;
      const rows = conversationsOf(dex, open);
      const session = input.session === undefined ? rows[0] : sessionRow(dex, input.session);
      // With a task, the search for it asks the team.
      if (task === undefined) await fetchTeamNews(dex, context);
      const leads = await leadsFor(dex, task, root, new Set(session ? [session.id] : []), context);
      const sections = packSections({
        pins: pinsAndPreferences(memoriesWithTeam(dex, root)),
        decisions: await decisionsFor(dex, open, task, context),
        work: workLines(dex, rows, root),
        leads,
        turns: session ? lastTurns(dex, session) : [],
      });
      const made = frameSections("dex-context", sections, input.max_tokens);
      context.trace?.({
        query: task ?? "",
        inputs: {
          conversations: rows.length,
          ...Object.fromEntries(made.sections.map((each) => [each.title, each.total])),
        },
        budgets: { max_tokens: input.max_tokens },
        truncation: Object.fromEntries(made.sections.map(({ title, shown, total }) => [title, total - shown])),
        ranking: leads.map(({ address }) => ({ id: address })),
      });
      return made;
    }),
  isEmpty: ({ text }) => text === "",
});
