/**
 * The versions of a team's schema. `dex team create` and `dex team upgrade` apply them, each once and in order; released
 * ones are never edited. A migration that removes something comes a version after the one that stopped using it.
 */
import { ACCESS } from "./access.ts";
import { ADMINS } from "./admins.ts";
import { FOR_MEMBERS, FUNCTIONS } from "./functions/all.ts";
import { GATEWAY } from "./gateway.ts";
import { IDENTITY } from "./identity.ts";
import { OWN_PARTS } from "./own_parts.ts";
import type { SCHEMA_VERSION } from "./range.ts";
import { REMOVAL } from "./removal.ts";
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

export const MIGRATIONS: readonly Migration[] & { length: typeof SCHEMA_VERSION } = [
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
  { schema: ADMINS, oldestClient: 1 },
  { schema: REMOVAL, oldestClient: 1 },
  { schema: OWN_PARTS, oldestClient: 6 },
];
