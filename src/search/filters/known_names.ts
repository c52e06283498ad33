/** Validates a caller's source and project names: an unknown one is refused with the nearest known name. */
import type { Dex } from "../../dex.ts";
import { repositoryOrFolder } from "../../history/repository.ts";
import { DexError } from "../../kernel/errors.ts";
import { lastName } from "../../kernel/paths.ts";
import { nearest } from "../../kernel/text.ts";
import { SOURCE_IDS } from "../../sources/ids.ts";
import type { ConversationFilter } from "../../store/ports.ts";

const MAX_PROJECTS = 5000;
const SHOWN_PROJECTS = 5;

interface Unknown {
  code: string;
  sentence: string;
  typed: string;
  names: readonly string[];
  /** A sentence that lists the known names. */
  list: string;
  exitCode?: 1 | 2;
}

function unknownName({ code, sentence, typed, names, list, exitCode }: Unknown): DexError {
  const meant = nearest(typed.toLowerCase(), names);
  const hint = meant === undefined ? list : `Did you mean "${meant}"? ${list}`;
  return new DexError(code, sentence, { hint, ...(exitCode ? { exitCode } : {}) });
}

/** A source that dex reads, or one of imported conversations. `claude-code` is `claude_code`. */
export function knownSource(dex: Dex, typed: string): string {
  const name = typed
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  const names = [...new Set([...SOURCE_IDS, ...Object.keys(dex.store.totals().sources)])];
  if (names.includes(name)) return name;
  const list = `Agents: ${names.join(", ")}.`;
  throw unknownName({ code: "unknown_source", sentence: `There is no agent "${typed}".`, typed: name, names, list });
}

/** `.` and `current` are the project of the current folder; anything else is part of a project's path. */
export function knownProject(dex: Dex, typed: string): Pick<ConversationFilter, "project" | "below"> {
  const here = typed === "." || typed.toLowerCase() === "current";
  const filter = here ? { below: repositoryOrFolder(dex.cwd).root } : { project: typed };
  const { conversations } = dex.store.totals();
  if (conversations === 0 || dex.store.count(filter) > 0) return filter;
  const projects = dex.store.projects(MAX_PROJECTS).map(({ project }) => project);
  const names = [...new Set(projects.map((path) => lastName(path)))];
  const some = names.slice(0, SHOWN_PROJECTS).join(", ");
  const list =
    names.length === 0
      ? "No conversation belongs to a project."
      : `Projects: ${some}${names.length > SHOWN_PROJECTS ? ", …" : ""}.`;
  if (here) {
    const sentence = `There is no conversation in ${filter.below}.`;
    throw new DexError("unknown_project", sentence, { hint: list, exitCode: 1 });
  }
  const sentence = `No conversation belongs to a project with "${typed}" in its path.`;
  throw unknownName({ code: "unknown_project", sentence, typed: lastName(typed), names, list, exitCode: 1 });
}
