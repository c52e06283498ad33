/** The kinds of events on the timeline. */
export const KINDS = [
  { kind: "commit", one: "commit", many: "commits" },
  { kind: "decision", one: "decision", many: "decisions" },
  { kind: "conversation", one: "conversation", many: "conversations" },
] as const;

export type Kind = (typeof KINDS)[number]["kind"];

export function isKind(name: string): name is Kind {
  return KINDS.some(({ kind }) => kind === name);
}
