/**
 * Which versions of a team's schema this dex works with. Every connection loads this file, and only an upgrade needs the
 * schema itself.
 */
import { DexError } from "../../../kernel/errors.ts";

/** The schema that this dex knows, and the oldest one that it can work with: the first in which members write their own index. */
export const SCHEMA_VERSION = 6;
const OLDEST_SCHEMA = 6;

/** Throws unless this dex and the server's schema understand each other. */
export function checkRange(server: { schema: number; oldestClient: number }): void {
  if (server.oldestClient > SCHEMA_VERSION) throw newerSchema();
  if (server.schema < OLDEST_SCHEMA) {
    throw new DexError(
      "team_schema",
      `The team's server has schema ${server.schema}; this dex needs ${OLDEST_SCHEMA}.`,
      {
        hint: "An admin runs `dex team upgrade`.",
      },
    );
  }
}

/** Throws unless a server of this version can be reached through a gateway. */
export function checkGatewaySchema(schema: number): void {
  if (schema >= OLDEST_SCHEMA) return;
  throw new DexError("team_schema", `The team's server has schema ${schema}; a gateway needs ${OLDEST_SCHEMA}.`, {
    hint: "The administrator of the database runs `dex team upgrade`.",
  });
}

export function newerSchema(): DexError {
  return new DexError("team_schema", "The team's server has a newer schema than this dex understands.", {
    hint: "Update dex.",
  });
}
