/** `dex activity`: how much was said on each day, by agent and by project. */
import * as z from "zod";
import { compareText } from "../../kernel/text.ts";
import { dayOf } from "../../kernel/time.ts";
import { toFilter } from "../../search/filters/filter.ts";
import { defineOperation } from "../operation.ts";
import { filterFields, subagentsField } from "../shared/fields.ts";

/** `conversations` counts those with messages in the time; tokens are estimates. */
const amount = { conversations: z.number(), messages: z.number(), tokens: z.number() };
const named = z.object({ name: z.string(), ...amount });

export const activity = defineOperation({
  name: "dex_activity",
  verb: "activity",
  summary: "Count conversations, messages and tokens by day, agent and project",
  positionals: [],
  input: z.strictObject({ ...filterFields, subagents: subagentsField(true) }),
  output: z.object({
    /** Days with messages, in order, in the user's time zone. */
    days: z.array(z.object({ day: z.string(), ...amount })),
    /** The most messages first. The name is empty when it is unknown. */
    agents: z.array(named),
    projects: z.array(named),
    total: z.object(amount),
  }),
  readOnly: true,
  idempotent: true,
  syncBefore: "conversations",
  run: (dex, input) => {
    const days = new Counts();
    const agents = new Counts();
    const projects = new Counts();
    const total = new Counts();
    for (const { no, source, project, time, messages, tokens } of dex.store.activity(toFilter(dex, input))) {
      for (const [counts, name] of [
        [days, dayOf(time)],
        [agents, source],
        [projects, project ?? ""],
        [total, ""],
      ] as const) {
        counts.add(name, no, messages, tokens);
      }
    }
    const { conversations, messages, tokens } = total.bySize()[0] ?? { conversations: 0, messages: 0, tokens: 0 };
    return {
      days: days
        .bySize()
        .map(({ name, ...each }) => ({ day: name, ...each }))
        .sort((a, b) => compareText(a.day, b.day)),
      agents: agents.bySize(),
      projects: projects.bySize(),
      total: { conversations, messages, tokens },
    };
  },
  isEmpty: (output) => output.total.messages === 0,
});

/** Sums by name. */
class Counts {
  readonly #sums = new Map<string, { seen: Set<number>; messages: number; tokens: number }>();

  add(name: string, conversation: number, messages: number, tokens: number): void {
    const sum = this.#sums.get(name) ?? { seen: new Set(), messages: 0, tokens: 0 };
    sum.seen.add(conversation);
    sum.messages += messages;
    sum.tokens += tokens;
    this.#sums.set(name, sum);
  }

  bySize(): z.output<typeof named>[] {
    return [...this.#sums]
      .map(([name, { seen, messages, tokens }]) => ({ name, conversations: seen.size, messages, tokens }))
      .sort((a, b) => b.messages - a.messages || compareText(a.name, b.name));
  }
}
