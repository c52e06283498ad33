/** A team of test homes, and a look at what its server keeps. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readFrame, scanFrames, withFile } from "../../../src/store/archive/frames.ts";
import { type Turn, writeDialogue } from "../histories/dialogue.ts";
import { TestHome } from "../program/dex.ts";
import { makeRepository } from "../repository.ts";
import type { TestServer } from "./postgres.ts";

export const SCOPE = "github.com/acme/notes";

/** A home with a clone of the team's project. */
export class TeamHome extends TestHome {
  readonly project: string;

  constructor(vars: Record<string, string> = {}) {
    super({ vars });
    this.project = join(this.home, "notes");
    mkdirSync(this.project, { recursive: true });
    makeRepository(this.project);
    spawnSync("git", ["-C", this.project, "remote", "add", "origin", "git@github.com:acme/notes.git"]);
  }

  say(id: string, turns: readonly Turn[], cwd = this.project): void {
    writeDialogue(this.home, id, turns, { cwd });
  }

  ok(...args: string[]): Record<string, unknown> {
    const { status, stdout, stderr } = this.run(...args, "--json");
    if (status !== 0) throw new Error(`dex ${args.join(" ")}: ${stderr}${stdout}`);
    return JSON.parse(stdout) as Record<string, unknown>;
  }

  fails(...args: string[]): string {
    const { status, stdout } = this.run(...args, "--json");
    if (status === 0) throw new Error(`dex ${args.join(" ")} succeeded: ${stdout}`);
    return (JSON.parse(stdout) as { error: { code: string } }).error.code;
  }

  /** Reaches the server through another port. */
  throughPort(port: number): void {
    const file = join(this.dexHome, "team/access.json");
    const access = JSON.parse(readFileSync(file, "utf8")) as { url: string };
    const url = new URL(access.url);
    url.port = String(port);
    writeFileSync(file, JSON.stringify({ ...access, url: url.href }), { mode: 0o600 });
  }
}

export function foundTeam(server: TestServer): TeamHome {
  const home = new TeamHome();
  home.ok("team", "create", server.url, "--name", "acme", "--as", "ada");
  return home;
}

export function joinTeam(admin: TeamHome, name: string, role = "member", vars: Record<string, string> = {}): TeamHome {
  const home = new TeamHome(vars);
  const { invitation } = admin.ok("team", "invite", name, "--role", role);
  home.ok("team", "join", String(invitation), "--machine", `${name}-laptop`);
  return home;
}

/** The lines of every conversation on the server, by owner and id; throws if a stored archive is not whole frames. */
export async function storedLines(server: TestServer): Promise<Map<string, string[]>> {
  const rows = await server.admin.sql`
    select m.name, c.id, c.branch, c.bytes, c.complete, string_agg(f.data, ''::bytea order by f.at) as data
    from dex.conversation c join dex.frame f using (bucket, conv) join dex.member m on m.member = c.owner
    where f.generation = c.generation group by m.name, c.id, c.branch, c.bytes, c.complete`;
  return new Map(
    rows.map((row) => {
      const data = row.data as Buffer;
      if (data.length !== Number(row.bytes)) throw new Error(`${row.id} has ${data.length} of ${row.bytes} bytes`);
      const file = join(server.folder, "stored");
      writeFileSync(file, data);
      const lines = withFile(file, (fd) => {
        const frames = scanFrames(fd);
        const last = frames.at(-1);
        if (!last || last.offset + last.length !== data.length) throw new Error(`${row.id} ends inside a frame`);
        return frames.flatMap(({ offset, length }) => readFrame(fd, offset, length).split("\n"));
      }).filter((line) => line !== "");
      return [`${row.name}/${row.id}${row.branch === "" ? "" : `@${row.branch}`}`, lines] as const;
    }),
  );
}
