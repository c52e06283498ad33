/** Shared by the verbs of teams: their fields, a session with the server, and the names of this machine and project. */
import { hostname, userInfo } from "node:os";
import { resolve } from "node:path";
import * as z from "zod";
import type { Dex } from "../../dex.ts";
import { remotesOf } from "../../history/copies/names.ts";
import { repositoryOrFolder } from "../../history/repository.ts";
import { DexError } from "../../kernel/errors.ts";
import { projectNamed } from "../../project/repository.ts";
import { withTeam as inTeam, type Session } from "../../team/access.ts";

/** In the folder of the team: the server that `dex team try` started. */
export const TRIAL_FILE = "try.json";

export const nameField = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} ._@-]*$/u,
    "is not a name: begin with a letter or digit, then letters, digits, spaces and . _ @ - only",
  );
export const roleField = z.enum(["reader", "member", "admin"]);

export function withTeam<T>(dex: Dex, work: (session: Session) => Promise<T>): Promise<T> {
  return inTeam(dex.paths.team, {}, work);
}

/** The name of this machine, as colleagues see it. */
export function machineName(typed: string | undefined): string {
  return (typed ?? hostname()).slice(0, 100) || "machine";
}

export function userName(typed: string | undefined): string {
  const name = typed ?? userInfo().username;
  return nameField.safeParse(name).success ? name : "admin";
}

/** The project's folder, and its key for the team: a remote, or the name that is given. */
export function projectKeyOf(
  dex: Dex,
  typed: string | undefined,
  as: string | undefined,
): { root: string; key: string } {
  const folder = projectNamed(dex, typed) ?? dex.cwd;
  const repository = repositoryOrFolder(folder);
  const key = as ?? remotesOf(repository)[0];
  if (key !== undefined) return { root: repository.root, key };
  throw new DexError(
    "no_remote",
    `${repository.root} has no git remote on another host, by which a team recognizes a project.`,
    {
      hint: "Name it with `--as <name>`. Colleagues use the same name.",
    },
  );
}

/** The key under which a project was shared here: it may have been given a name that its folder does not tell. */
export function sharedKeyOf(dex: Dex, typed: string | undefined, as: string | undefined): string {
  if (as !== undefined) return as;
  const shares = dex.hasState ? dex.withState(({ team }) => team.shares()) : [];
  if (shares.some(({ scope }) => scope === typed)) return typed as string;
  // The folder may have been deleted.
  const folder = resolve(dex.cwd, typed ?? ".");
  const isShared = shares.some(({ root }) => root === folder);
  const root = isShared ? folder : repositoryOrFolder(projectNamed(dex, typed) ?? dex.cwd).root;
  const here = shares.filter((share) => share.root === root).map(({ scope }) => scope);
  const [only] = here;
  if (only !== undefined && here.length === 1) return only;
  if (here.length > 1) {
    throw new DexError("ambiguous_project", `${root} is shared under several names: ${here.join(", ")}.`, {
      hint: "Give one of them with `--as <name>`.",
    });
  }
  const remote = remotesOf(repositoryOrFolder(root))[0];
  if (remote !== undefined) return remote;
  throw new DexError("not_shared", `${root} is not shared with the team.`, {
    hint: "`dex team status` lists the shared projects.",
  });
}

export function alreadyJoined(): DexError {
  return new DexError("has_team", "This machine has joined a team already.", {
    hint: "`dex team status` shows it, and `dex team leave` leaves it.",
  });
}
