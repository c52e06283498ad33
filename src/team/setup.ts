/** Makes a team on a server, and upgrades its schema: the only places that run migrations. */
import { DexError } from "../kernel/errors.ts";
import { PostgresLink } from "../store/postgres/connection.ts";
import { serverFailure } from "../store/postgres/failure.ts";
import { migrate, schemaVersion } from "../store/postgres/migrate.ts";
import { checkGatewaySchema } from "../store/postgres/schema/range.ts";
import { newLogin, newSecret, scramVerifier } from "../store/postgres/secrets.ts";
import { writeAccess } from "./access.ts";
import { withLogin } from "./invitation.ts";

/**
 * Creates a team. The address of the database's administrator is used only here and not stored: the admin of the team
 * gets their own login.
 */
export async function createTeam(
  folder: string,
  url: string,
  who: { team: string; member: string; machine: string },
): Promise<number> {
  return asAdministrator(url, async (link) => {
    const { to } = await migrate(link.sql);
    const login = newLogin();
    const secret = newSecret();
    const own = withLogin(url, login, secret);
    await link.sql`select dex.create_team(${who.team}, ${who.member}, ${who.machine}, ${login}, ${scramVerifier(secret)})`;
    writeAccess(folder, { url: own });
    return to;
  });
}

/** Creates a login for a gateway. Its address is shown once: the server stores only a verifier. */
export async function createGateway(url: string): Promise<string> {
  return asAdministrator(url, async (link) => {
    checkGatewaySchema(await schemaVersion(link.sql));
    const login = newLogin();
    const secret = newSecret();
    await link.sql`select dex.create_gateway(${login}, ${scramVerifier(secret)})`;
    return withLogin(url, login, secret);
  });
}

export async function upgradeServer(
  url: string,
  restored: boolean,
): Promise<{ from: number; to: number; epoch?: string }> {
  return asAdministrator(url, async (link) => {
    if ((await schemaVersion(link.sql)) === 0) {
      throw new DexError("team_schema", "This database has no team.", { hint: "Run `dex team create <url>`." });
    }
    const done = await migrate(link.sql);
    if (!restored) return done;
    const [row] =
      await link.sql`update dex.meta set value = gen_random_uuid()::text where key = 'epoch' returning value`;
    return { ...done, epoch: String(row?.value) };
  });
}

const MIGRATION_MS = 15 * 60_000;

async function asAdministrator<T>(url: string, work: (link: PostgresLink) => Promise<T>): Promise<T> {
  const link = await PostgresLink.open(url, { callMs: MIGRATION_MS });
  try {
    return await work(link);
  } catch (error) {
    throw serverFailure(error);
  } finally {
    await link.close();
  }
}
