/**
 * The versions of a team's schema. `dex team create` and `dex team upgrade` apply them, each once and in order; released
 * ones are never edited. A migration that removes something comes a version after the one that stopped using it.
 */
import { ACCESS } from "./access.ts";
import { FOR_MEMBERS, FUNCTIONS } from "./functions/all.ts";
import { GATEWAY } from "./gateway.ts";
import { IDENTITY } from "./identity.ts";
import { LOGIN_FUNCTIONS, ROLES } from "./roles.ts";
import { PARTITIONED, partitions, TABLES } from "./tables.ts";

export interface Migration {
  /** Run as the role that installs. */
  before?: string;
  /** Run as the owner of the schema, with its search path. */
  schema: string;
  /** Run as the role that installs. */
  after?: string;
  /** Clients of an older version than this cannot work with the new schema. */
  oldestClient: number;
}

const grants = FOR_MEMBERS.map((each) => `grant execute on function ${each} to dex_user;`).join("\n");

export const MIGRATIONS: readonly Migration[] = [
  {
    before: ROLES,
    schema: [
      TABLES,
      partitions(PARTITIONED),
      "insert into meta values ('schema', '0'), ('oldest_client', '1'), ('epoch', gen_random_uuid()::text);",
      ACCESS,
      FUNCTIONS,
      "revoke execute on all functions in schema dex from public;",
      grants,
    ].join("\n"),
    after: LOGIN_FUNCTIONS,
    oldestClient: 1,
  },
  { schema: GATEWAY, oldestClient: 1 },
  { schema: IDENTITY, oldestClient: 1 },
];

/** The first version with a gateway. */
export const GATEWAY_SCHEMA = 2;

/** The schema that this dex knows, and the oldest one that it can work with. */
export const SCHEMA_VERSION: number = MIGRATIONS.length;
export const OLDEST_SCHEMA = 1;
