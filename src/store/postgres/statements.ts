/**
 * Every statement that a member's dex runs on the team's server, by name. A direct connection runs them itself; a client
 * of the gateway sends the name and the parameters, so the gateway runs nothing else.
 *
 * A parameter is text, a number, a boolean, null, bytes, or an object that becomes JSON. Lists are JSON, too.
 */
import { FINDING_STATEMENTS } from "./finding_statements.ts";

export const STATEMENTS = {
  ...FINDING_STATEMENTS,
  hello: "select dex.hello() as hello, pg_backend_pid() as backend",
  members:
    "select member, name, role, to_jsonb(machines) as machines, extract(epoch from created) * 1000 as created, revoked is not null as revoked, pending from dex.members()",
  machines: "select * from dex.machines()",
  devices:
    "select device, member, machine, gateway, (extract(epoch from joined) * 1000)::bigint as joined, (extract(epoch from expires) * 1000)::bigint as expires from dex.devices()",
  invite: "select dex.invite($1, $2, $3, $4, $5, $6) as device",
  activate: "select dex.activate($1, $2, $3)",
  role: "select dex.set_role($1, $2) as found",
  revoke: "select dex.revoke_member($1, $2) as machines",
  removeMember: "select dex.remove_member($1) as removed",
  setting: "select dex.set_setting($1, $2)",
  audit: "select extract(epoch from at) * 1000 as at, name, what, detail from dex.audit_log($1)",
  share:
    "select dex.share_scope($1, case when $2::jsonb is null then null else array(select jsonb_array_elements_text($2::jsonb)) end)",
  scopes: "select scope, key, everyone, to_jsonb(names) as names, conversations, messages, mine from dex.scopes()",
  append: "select * from dex.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
  // The driver sends bytes as hexadecimal digits: megabytes of them travel in base64, which is a third shorter.
  appendAll: "select * from dex.append_all($1, decode($2, 'base64'))",
  state: "select * from dex.state()",
  forget: "select dex.forget($1, $2) as removed",
  remember: "select dex.remember($1, $2) as found",
  withdraw: "select dex.withdraw($1, $2, $3) as removed",
  note: "select dex.put_note($1, $2, $3, $4)",
  indexClaim: "select dex.index_claim($1, $2) as version",
  segmentBegin: "select dex.segment_begin($1, $2) as id",
  segmentBlocks: "select dex.segment_blocks($1, $2, $3, $4, decode($5, 'base64'))",
  putSegment: "select dex.put_segment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as version",
  putActivity: "select dex.put_activity($1, $2, $3)",
  indexDrop: "select dex.index_drop($1)",
  purgePartition: "select dex.purge_partition($1, $2)",
  newEpoch: "select dex.new_epoch() as epoch",
} as const satisfies Record<string, string>;

export type StatementName = keyof typeof STATEMENTS;
export type Parameter = string | number | boolean | null | Uint8Array | object;
export type Row = Record<string, unknown>;

/** A connection to the team, direct or through the gateway. */
export interface TeamLink {
  /** One statement in a transaction of its own. */
  call(name: StatementName, ...parameters: Parameter[]): Promise<Row[]>;
  /**
   * Whether a pooler is in between: another process of the server answered `hello` than the one that the client first
   * reached.
   */
  readonly isPooled?: boolean;
  close(): Promise<void>;
}
