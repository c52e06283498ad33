/**
 * `dex team try`: a team on this machine, to see what one is. A private PostgreSQL that only this machine can reach, with
 * two example members and the conversations of the bundled samples; `--remove` deletes all of it.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { Dex } from "../../dex.ts";
import { DexError } from "../../kernel/errors.ts";
import { ensureFolder, writeFileAtomic } from "../../kernel/files/atomic_write.ts";
import { readRegularFile } from "../../kernel/files/bounded_read.ts";
import { isBelow } from "../../kernel/files/paths.ts";
import { asNumber, asObject, asString, parseJson } from "../../kernel/json.ts";
import { pushToTeam } from "../../project/team/push.ts";
import { newSecret } from "../../store/postgres/secrets.ts";
import { openTeam, readAccess, writeAccess } from "../../team/access.ts";
import { copyEmbedded } from "../../team/embedded_postgres.ts";
import { acceptInvitation, invite } from "../../team/invitation.ts";
import { hasTeam } from "../../team/joined.ts";
import {
  findServerPrograms,
  initServer,
  runningServer,
  serverAccount,
  startServer,
  stopServer,
} from "../../team/private_server.ts";
import { createTeam } from "../../team/setup.ts";
import { defineOperation } from "../operation.ts";
import { alreadyJoined, machineName, TRIAL_FILE, userName } from "./session.ts";

const MAX_FILE_BYTES = 4096;
/** Each example member has the conversations of some agents. */
const EXAMPLES = [
  { name: "ada", without: "codex,opencode,gemini" },
  { name: "ben", without: "claude_code" },
] as const;
const SCOPE = "example/notes-api";

interface Trial {
  folder: string;
  port: number;
  password: string;
}

const output = z.object({
  state: z.enum(["made", "started", "running", "removed"]),
  members: z.array(z.string()),
  conversations: z.number().describe("Of the example members"),
  folder: z.string().optional(),
  port: z.number().optional(),
});

export const teamTry = defineOperation({
  name: "dex_team_try",
  verb: "team try",
  summary: "Try a team on this machine: a private PostgreSQL with two example members",
  positionals: [],
  input: z.strictObject({
    remove: z.boolean().default(false).describe("Stop the server and delete everything that the trial created"),
  }),
  output,
  readOnly: false,
  idempotent: true,
  syncBefore: "none",
  waits: true,
  run: async (dex, input, context) => {
    const trial = readTrial(dex.paths.team);
    if (input.remove) return removeTrial(dex, trial);
    if (trial) return startAgain(dex, trial);
    if (hasTeam(dex.paths.team)) throw alreadyJoined();
    return makeTrial(dex, (done, label) => context.progress?.(done, 4, label));
  },
});

type Output = z.output<typeof output>;

async function makeTrial(dex: Dex, progress: (done: number, label: string) => void): Promise<Output> {
  const found = findServerPrograms(dex.paths.home, dex.vars);
  const trial = { folder: trialFolder(dex), port: 0, password: newSecret() };
  ensureFolder(dex.paths.team);
  try {
    progress(0, "Starting PostgreSQL");
    const programs = programsFor(dex, trial.folder, found);
    initServer(programs, trial.folder, trial.password);
    const { url, port } = await startServer(programs, trial.folder, trial.password);
    writeFileAtomic(trialFile(dex.paths.team), JSON.stringify({ ...trial, port }), 0o600);
    await createTeam(dex.paths.team, url, {
      team: "try",
      member: userName(undefined),
      machine: machineName(undefined),
    });
    let conversations = 0;
    for (const [done, example] of EXAMPLES.entries()) {
      progress(done + 1, `Adding ${example.name}`);
      conversations += await addMember(dex, example);
    }
    const members = [userName(undefined), ...EXAMPLES.map(({ name }) => name)];
    return { state: "made", members, conversations, folder: trial.folder, port };
  } catch (error) {
    await removeTrial(dex, trial);
    throw error;
  }
}

/** A server that runs as another account cannot live below a home that is closed to it. */
function trialFolder(dex: Dex): string {
  return serverAccount() ? mkdtempSync(join(tmpdir(), "dex-team-try-")) : join(dex.paths.home, "team-try");
}

/** For the same reason, that account gets a copy of programs that are in dex's home. */
function programsFor(dex: Dex, folder: string, found: string): string {
  if (!serverAccount() || !isBelow(dex.paths.home, found)) return found;
  const copied = join(folder, "native", "bin");
  return existsSync(copied) ? copied : copyEmbedded(found, folder);
}

/** A member with a home of their own, who pushes the samples of some agents. */
async function addMember(dex: Dex, example: (typeof EXAMPLES)[number]): Promise<number> {
  const access = readAccess(dex.paths.team);
  if (!access) return 0;
  const session = await openTeam(dex.paths.team);
  const home = join(dex.paths.team, "examples", example.name);
  try {
    const invitation = await invite(session.link, access.url, { name: example.name, role: "member", days: 1 });
    const vars = {
      ...dex.vars,
      HOME: samplesHome(),
      DEX_HOME: home,
      DEX_SYNC_EXCLUDE_SOURCES: example.without,
      DEX_TRACES_ENABLED: "false",
    };
    const own = await Dex.open({ vars, cwd: samplesHome(), now: dex.now });
    try {
      const joined = await acceptInvitation(invitation, `${example.name}-laptop`, (each) =>
        writeAccess(own.paths.team, each),
      );
      await joined.link.call("share", SCOPE, null);
      await joined.link.close();
      await own.sync({ asked: false });
      const root = own.store.projects(1)[0]?.project ?? samplesHome();
      own.withState(({ team }) => team.share({ scope: SCOPE, root, at: 0, opens: 0 }));
      return (await pushToTeam(own))?.conversations ?? 0;
    } finally {
      own.close();
    }
  } finally {
    await session.link.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** In the package, or in a checkout. */
function samplesHome(): string {
  const places = [join(import.meta.dirname, "../samples/home"), join(import.meta.dirname, "../../../samples/home")];
  const found = places.find((place) => existsSync(place));
  if (found) return found;
  throw new DexError("no_samples", "The bundled samples are missing.", { hint: "Install dex again." });
}

async function startAgain(dex: Dex, trial: Trial): Promise<Output> {
  const { folder, port, password } = trial;
  const nobody = { members: [], conversations: 0, folder, port };
  if (runningServer(folder) !== undefined) return { state: "running", ...nobody };
  await startServer(programsFor(dex, folder, findServerPrograms(dex.paths.home, dex.vars)), folder, password, port);
  return { state: "started", ...nobody };
}

async function removeTrial(dex: Dex, trial: Trial | undefined): Promise<Output> {
  if (!trial) {
    throw new DexError("no_team", "This home has no trial team.", { hint: "`dex team try` creates one." });
  }
  await stopServer(trial.folder);
  rmSync(trial.folder, { recursive: true, force: true });
  rmSync(dex.paths.team, { recursive: true, force: true });
  if (dex.hasState) {
    dex.withState(({ team }) => {
      team.clear();
      for (const { source, id } of team.forgets()) team.forgotOnServer(source, id);
    });
  }
  return { state: "removed", members: [], conversations: 0 };
}

function trialFile(folder: string): string {
  return join(folder, TRIAL_FILE);
}

function readTrial(folder: string): Trial | undefined {
  const value = asObject(parseJson(readRegularFile(trialFile(folder), MAX_FILE_BYTES)?.toString("utf8") ?? ""));
  const place = asString(value.folder);
  const password = asString(value.password);
  const port = asNumber(value.port);
  return place === undefined || password === undefined || port === undefined
    ? undefined
    : { folder: place, port, password };
}
