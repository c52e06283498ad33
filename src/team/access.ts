/**
 * How this machine reaches its team: a file that only the user can read. It contains a password, so nothing prints it
 * and no other process gets it.
 */
import { rmSync } from "node:fs";
import { DexError } from "../kernel/errors.ts";
import { ensureFolder, writeFileAtomic } from "../kernel/files/atomic_write.ts";
import { readRegularFile } from "../kernel/files/bounded_read.ts";
import { asObject, asString, parseJson } from "../kernel/json.ts";
import { type LinkOptions, PostgresLink } from "../store/postgres/connection.ts";
import { checkRange } from "../store/postgres/schema/range.ts";
import type { TeamLink } from "../store/postgres/statements.ts";
import { accessFile } from "./joined.ts";

const MAX_FILE_BYTES = 64 << 10;
const PRIVATE = 0o600;

/** The address and secret of this machine: `postgres://…` or, through a gateway, `https://…`. */
export interface Access {
  url: string;
  /** A pooler is between this machine and PostgreSQL. */
  pooled?: boolean;
}

/** The answer of the server's `hello`. */
export interface Hello {
  team: string;
  member: number;
  name: string;
  role: "reader" | "member" | "admin";
  device: number;
  machine: string | null;
  joined: boolean;
  epoch: string;
  /** Something was pushed or removed that the index does not show. */
  unindexed: boolean;
  /** The version of the server's schema. */
  schema: number;
  settings: { review_hours?: number; patterns?: string[]; gateway?: string };
}

export function readAccess(folder: string): Access | undefined {
  const bytes = readRegularFile(accessFile(folder), MAX_FILE_BYTES);
  const { url, pooled } = asObject(parseJson(bytes?.toString("utf8") ?? ""));
  const address = asString(url);
  return address === undefined ? undefined : { url: address, ...(pooled === true ? { pooled } : {}) };
}

export function writeAccess(folder: string, access: Access): void {
  ensureFolder(folder);
  writeFileAtomic(accessFile(folder), `${JSON.stringify(access)}\n`, PRIVATE);
}

export function removeAccess(folder: string): void {
  rmSync(accessFile(folder), { force: true });
}

export function notJoined(): DexError {
  return new DexError("no_team", "This machine has not joined a team.", {
    hint: "Run `dex team join <invitation>`, `dex team create <url>`, or `dex team try`.",
  });
}

/** An open connection after the greeting: the server knows the member, and both sides support each other's version. */
export interface Session {
  link: TeamLink;
  hello: Hello;
}

/** `ahead`: calls that are sent together with the greeting, to save round trips. */
export async function openTeam(
  folder: string,
  options: LinkOptions = {},
  ahead: (link: TeamLink) => void = () => {},
): Promise<Session> {
  const access = readAccess(folder);
  if (!access) throw notJoined();
  const session = await openAccess(access, options, ahead);
  const { isPooled = false } = session.link;
  if (isPooled === (access.pooled ?? false)) return session;
  const changed = { url: access.url, ...(isPooled ? { pooled: true } : {}) };
  writeAccess(folder, changed);
  if (!isPooled) return session;
  // Calls that were sent with the greeting may never be answered.
  await session.link.close();
  return openAccess(changed, options, ahead);
}

export async function openAccess(
  access: Access,
  options: LinkOptions = {},
  ahead: (link: TeamLink) => void = () => {},
): Promise<Session> {
  const link = await openLink(access.url, { ...options, pooled: access.pooled ?? false });
  try {
    const greeting = greet(link);
    ahead(link);
    return { link, hello: await greeting };
  } catch (error) {
    await link.close();
    throw error;
  }
}

/** Opens a connection, runs, and closes it. */
export async function withTeam<T>(
  folder: string,
  options: LinkOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const session = await openTeam(folder, options);
  try {
    return await work(session);
  } finally {
    await session.link.close();
  }
}

/** Whether an address is one of a gateway, not of PostgreSQL itself. */
export function isGateway(url: string): boolean {
  return /^https?:\/\//.test(url);
}

/** Loads the code that opening a connection needs, and connects to nothing. */
export async function loadDriver(folder: string): Promise<void> {
  const url = readAccess(folder)?.url;
  if (url !== undefined && !isGateway(url)) await import("postgres");
}

async function openLink(url: string, options: LinkOptions): Promise<TeamLink> {
  if (/^postgres(?:ql)?:\/\//.test(url)) return PostgresLink.open(url, options);
  if (isGateway(url)) return (await import("../store/gateway/link.ts")).GatewayLink.open(url, options);
  throw new DexError("bad_team_url", "The address of the team's server is not one that dex knows.", {
    hint: "It begins with postgres:// or, for a gateway, https://.",
  });
}

async function greet(link: TeamLink): Promise<Hello> {
  const [row] = await link.call("hello");
  const hello = asObject(row?.hello as never);
  checkRange({ schema: Number(hello.schema), oldestClient: Number(hello.oldest_client) });
  return hello as unknown as Hello;
}
