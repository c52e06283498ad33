/** Validates a caller's source and project names: an unknown one is refused with the nearest known name. */
import { isAbsolute } from "node:path";
import type { Dex } from "../../dex.ts";
import { withCopies } from "../../history/copies/copies.ts";
import { historyPath } from "../../history/place.ts";
import { findRepository, type Repository, repositoryOrFolder } from "../../history/repository.ts";
import { agentNamed, asId, SOURCE_IDS } from "../../integrations/registry.ts";
import { unknownName } from "../../kernel/did_you_mean.ts";
import { DexError } from "../../kernel/errors.ts";
import { lastName, realPath } from "../../kernel/files/paths.ts";
import { openHistory } from "../../store/engine/history.ts";
import type { ConversationFilter } from "../../store/ports.ts";

const MAX_PROJECTS = 5000;
const SHOWN_PROJECTS = 5;
const MAX_QUOTED_CHARS = 200;
/** Quote the nearest name, then list the known ones. */
const BOTH = { alwaysHint: true, show: JSON.stringify } as const;

/** A known source, also one of imported conversations. `claude-code` and "Claude Code" mean `claude_code`. */
export function knownSource(dex: Dex, typed: string): string {
  const name = agentNamed(typed)?.id ?? asId(typed);
  const indexed = Object.keys(dex.store.totals().sources);
  const names = [...new Set([...SOURCE_IDS, ...indexed])];
  if (names.includes(name)) return name;
  const list =
    indexed.length === 0 ? `Agents: ${names.join(", ")}.` : `Agents with conversations here: ${indexed.join(", ")}.`;
  const sentence = `There is no agent "${typed.slice(0, MAX_QUOTED_CHARS)}".`;
  throw unknownName({ code: "unknown_source", sentence, typed: name, names, hint: list, ...BOTH });
}

/** The folders of the current project, including the other worktrees and copies of its repository. */
export function foldersHere(dex: Dex): readonly string[] {
  return foldersOf(dex, repositoryOrFolder(dex.cwd));
}

function foldersOf(dex: Dex, repository: Repository): readonly string[] {
  if (!repository.git) return repository.roots;
  const history = openHistory(historyPath(dex.paths.history, repository));
  try {
    return withCopies(repository, history, dex.settings.history.copies).roots;
  } finally {
    history.close();
  }
}

function isHere(typed: string): boolean {
  return typed === "." || typed.toLowerCase() === "current";
}

/** The repository that the typed project means: the current one, or the one with this root. */
export function repositoryMeant(dex: Dex, typed: string): Repository | undefined {
  if (isHere(typed)) return findRepository(dex.cwd);
  const found = isAbsolute(typed) ? findRepository(typed) : undefined;
  return found?.root === realPath(typed) ? found : undefined;
}

/** `.` and `current` mean the current project; anything that is not a repository is part of a project's path. */
export function knownProject(dex: Dex, typed: string): Pick<ConversationFilter, "project" | "below"> {
  const here = isHere(typed);
  const named = here ? undefined : repositoryMeant(dex, typed);
  const below = here ? foldersHere(dex) : named && foldersOf(dex, named);
  const filter = below ? { below } : { project: typed };
  const { conversations } = dex.store.totals();
  if (conversations === 0 || dex.store.count(filter) > 0) return filter;
  const projects = dex.store.projects(MAX_PROJECTS).map(({ project }) => project);
  const names = [...new Set(projects.map((path) => lastName(path)))];
  const some = names.slice(0, SHOWN_PROJECTS).join(", ");
  const list =
    names.length === 0
      ? "No conversation belongs to a project."
      : `Projects: ${some}${names.length > SHOWN_PROJECTS ? " and others" : ""}.`;
  if (here) {
    const sentence = `There is no conversation in ${filter.below?.[0]}.`;
    throw new DexError("unknown_project", sentence, { hint: list, exitCode: 1 });
  }
  const sentence = `No conversation belongs to a project with "${typed.slice(0, MAX_QUOTED_CHARS)}" in its path.`;
  throw unknownName({
    code: "unknown_project",
    sentence,
    typed: lastName(typed).toLowerCase(),
    names,
    hint: list,
    ...BOTH,
    exitCode: 1,
  });
}
