/**
 * The parameters of every statement that a member may call through the gateway. `?`: may be null. `none`: always null,
 * because it belongs to direct logins, which the gateway does not make.
 */
import { STATEMENTS, type StatementName } from "../postgres/statements.ts";
import type { Value } from "./wire.ts";

export const PARAMETERS: Readonly<Record<StatementName, string>> = {
  hello: "",
  members: "",
  machines: "",
  devices: "",
  invite: "text text? none none bytes int",
  activate: "text none bytes",
  role: "text text",
  revoke: "text int?",
  removeMember: "text",
  setting: "text json?",
  audit: "int",
  share: "text json?",
  scopes: "",
  append: "text text text text int int bytes bool int json",
  appendAll: "json bytes",
  state: "",
  forget: "text text",
  remember: "text text",
  withdraw: "text text? text?",
  note: "text text text json?",
  indexClaim: "int int",
  segmentBegin: "int int",
  segmentBlocks: "int int text json bytes",
  putSegment: "int int? int json int int int bytes? bytes? bytes? json json",
  putActivity: "int json json",
  indexDrop: "int",
  purgePartition: "text int",
  newEpoch: "",
  visibleBuckets: "",
  segmentList: "json int",
  goneConversations: "json",
  sharedNotes: "json",
  segmentTables: "json",
  segmentVectors: "json",
  segmentEntries: "json",
  identities: "int json",
  termBlocks: "json",
  vectorGroups: "json",
  segmentDetails: "json",
  archiveBlocks: "json",
  bucketsToIndex: "",
  unindexed: "int int",
  pushedBytes: "int int int int int",
  allTerms: "int int",
  allGroups: "int int",
  allDetails: "int int",
};

const KINDS: Readonly<Record<string, (value: Value) => boolean>> = {
  none: (value) => value === null,
  // PostgreSQL stores no text with this character.
  text: (value) => typeof value === "string" && !value.includes("\0"),
  int: (value) => Number.isSafeInteger(value),
  bool: (value) => typeof value === "boolean",
  json: (value) => value !== null && !(value instanceof Uint8Array),
  bytes: (value) => value instanceof Uint8Array,
};

/** The statements for a device that has not joined yet. */
export const JOINING: ReadonlySet<StatementName> = new Set<StatementName>(["hello", "activate"]);

export function isStatement(name: string): name is StatementName {
  return Object.hasOwn(STATEMENTS, name);
}

export function acceptsParameters(name: StatementName, values: readonly Value[]): boolean {
  const kinds = PARAMETERS[name] === "" ? [] : PARAMETERS[name].split(" ");
  return (
    kinds.length === values.length &&
    kinds.every((kind, i) => {
      const value = values[i] as Value;
      const isOptional = kind.endsWith("?");
      return (isOptional && value === null) || KINDS[kind.replace("?", "")]?.(value) === true;
    })
  );
}
