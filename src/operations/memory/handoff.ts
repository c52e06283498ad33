/** `dex handoff`: everything the next agent needs to continue a conversation. */
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { projectKey } from "../../history/repository.ts";
import { resumeCommand } from "../../integrations/handoff.ts";
import { HANDOFF_TARGETS, handoffTargetNamed, loadConnectableAgent } from "../../integrations/registry.ts";
import { inspectEntry } from "../../integrations/settings/connect.ts";
import { DexError } from "../../kernel/errors.ts";
import { frameSections } from "../../memory/frame.ts";
import { handoffSections } from "../../memory/handoff.ts";
import { pinsAndPreferences } from "../../memory/pack_sources.ts";
import { recapOf } from "../../memory/recap.ts";
import { memoriesHere, memoriesOf } from "../../memory/save.ts";
import { repositoryOf } from "../../project/repository.ts";
import { sessionRow } from "../../search/filters/session.ts";
import { streamMessages } from "../../search/messages.ts";
import type { ConversationRow } from "../../store/ports.ts";
import { EVERYWHERE, type Memory } from "../../store/state/memories.ts";
import { addresses } from "../../workflows/plan.ts";
import { agentEnv } from "../agents/connections.ts";
import { defineOperation } from "../operation.ts";
import { framedOutput, packTokensField } from "./fields.ts";

export const handoff = defineOperation({
  name: "dex_handoff",
  verb: "handoff",
  summary: "Write a handoff of a conversation for the next agent: task, state, decisions, open points, files to read",
  positionals: ["id"],
  input: z.strictObject({
    id: z.string().max(500).describe("The conversation's id, a unique prefix, or current"),
    to: z
      .string()
      .max(60)
      .default("any")
      .describe(`The next agent: ${HANDOFF_TARGETS.map(({ id }) => id).join(", ")}`),
    max_tokens: packTokensField(2000),
  }),
  output: z.object({
    id: z.string(),
    source: z.string(),
    to: z.string(),
    ...framedOutput,
    /** The command that starts the next agent with the handoff. */
    start: z.string().optional(),
    /** The command that continues the conversation itself. */
    resume: z.string().optional(),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  traced: true,
  toolset: "memory",
  run: async (dex, input, context) => {
    const target = handoffTargetNamed(input.to);
    const row = sessionRow(dex, input.id);
    if (!row) {
      throw new DexError("bad_input", "Name one conversation; dex cannot hand over all of them.", {
        hint: "Give its id, or `current`.",
      });
    }
    const address = addresses(dex)(row);
    const { saved, pins } = notesFor(dex, row);
    const sections = handoffSections({
      row,
      address,
      recap: recapOf(row, () => streamMessages(dex, row)),
      saved,
      pins,
      target,
      connected: await isConnected(dex, target.id),
    });
    const made = frameSections("dex-handoff", sections, input.max_tokens, address);
    context.trace?.({
      session: row.id,
      inputs: { messages: row.messages },
      budgets: { max_tokens: input.max_tokens },
      truncation: Object.fromEntries(made.sections.map(({ title, shown, total }) => [title, total - shown])),
      ranking: [{ id: row.id, source: row.source }],
    });
    const resume = target.id === row.source ? resumeCommand(target, row.id) : undefined;
    const command = `"$(dex handoff ${address} --to ${target.id})"`;
    return {
      id: row.id,
      source: row.source,
      to: target.id,
      ...made,
      ...(target.handoff.start ? { start: [...target.handoff.start, command].join(" ") } : {}),
      ...(resume === undefined ? {} : { resume }),
    };
  },
});

/** The pins of the conversation's project, or only the global ones when its folder no longer exists. */
function notesFor(
  dex: Dex,
  row: ConversationRow,
): { pins: Memory[]; saved: { id: string; text: string; because: string | null; place: string }[] } {
  const folder = row.project ?? undefined;
  try {
    const project = projectKey(repositoryOf(dex, folder).repository);
    if (!dex.hasState) return { pins: [], saved: [] };
    const saved = dex.withState((state) =>
      state.decisions.own(project).flatMap(({ id, text, because }) => {
        const origins = state.memory.provenance({ id, project });
        const place = origins.find((each) => each.place === row.id || each.place.startsWith(`${row.id}#`))?.place;
        return place === undefined ? [] : [{ id, text, because, place: place.slice(row.id.length) || "saved" }];
      }),
    );
    return { pins: pinsAndPreferences(memoriesHere(dex, folder)), saved };
  } catch (error) {
    if (!(error instanceof DexError) || error.code !== "no_folder") throw error;
    return { pins: pinsAndPreferences(memoriesOf(dex, [EVERYWHERE])), saved: [] };
  }
}

/** Whether the agent is connected to dex, by the user's or the project's settings. Unreadable settings count as no. */
async function isConnected(dex: Dex, id: string): Promise<boolean> {
  const agent = await loadConnectableAgent(id);
  if (!agent) return false;
  const env = agentEnv(dex);
  return (["user", "project"] as const).some((scope) => {
    try {
      return inspectEntry(agent, env, scope).connection === "connected";
    } catch (error) {
      if (error instanceof DexError) return false;
      throw error;
    }
  });
}
