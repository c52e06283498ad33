/** Decisions, pins and notes that other members saved about shared projects, as far as this home has fetched them. */
import { matchByWords } from "../../decisions/search.ts";
import type { Dex } from "../../dex.ts";
import { remotesOf } from "../../history/copies/names.ts";
import { projectKey, type Repository, repositoryOrFolder } from "../../history/repository.ts";
import { asArray, asNumber, asObject, asString, type Json } from "../../kernel/json.ts";
import { readSharedNotes } from "../../store/engine/shared.ts";
import type { Memory, MemoryKind } from "../../store/state/memories.ts";
import type { OwnDecision } from "../../store/state/recorded.ts";
import { cacheFolder, MAX_UNCHECKED_MS } from "../../team/finding/places.ts";
import { hasTeam } from "../../team/joined.ts";
import { DECISION, SHARED_KINDS } from "../../team/notes.ts";

const MAX_TEXT_CHARS = 4000;
const MAX_ITEMS = 50;

interface TeamNotesHere {
  decisions: OwnDecision[];
  memories: Memory[];
}

/** The notes of other members about this project, as far as this home has fetched them. Does not contact the server. */
export function teamNotesOf(dex: Dex, repository: Repository): TeamNotesHere {
  const found: TeamNotesHere = { decisions: [], memories: [] };
  if (!hasTeam(dex.paths.team)) return found;
  const project = projectKey(repository);
  const shares = dex.hasState ? dex.withState(({ team }) => team.shares()) : [];
  const here = shares.filter(({ root }) => projectKey(repositoryOrFolder(root)) === project);
  const scopes = new Set([...remotesOf(repository), ...here.map(({ scope }) => scope)]);
  const since = dex.now() - MAX_UNCHECKED_MS;
  for (const { scope, owner, kind, id, body, at } of readSharedNotes(cacheFolder(dex.paths.team), since)) {
    if (!scopes.has(scope)) continue;
    const fields = asObject(body);
    const text = textOf(fields.text);
    if (text === undefined) continue;
    const common = { id, text, because: textOf(fields.because) ?? null, files: textsOf(fields.files) };
    const time = Math.min(asNumber(fields.time) ?? at, dex.now());
    if (kind === DECISION) {
      const { alternatives, symbols } = fields;
      found.decisions.push({
        ...common,
        repository: project,
        alternatives: textsOf(alternatives),
        symbols: textsOf(symbols),
        time,
        place: `${owner}, team`,
      });
    } else if (SHARED_KINDS.includes(kind as MemoryKind)) {
      found.memories.push({ ...common, project, kind: kind as MemoryKind, time, updated: time, author: owner });
    }
  }
  return found;
}

const MAX_FOUND_NOTES = 5;

export interface FoundNote {
  kind: string;
  author: string;
  text: string;
  because?: string;
  scope: string;
  date: string;
}

/** Decisions and notes of other members, of every project that is shared with this one, by their words. */
export function findTeamNotes(dex: Dex, query: string, by: string | undefined): FoundNote[] {
  if (!hasTeam(dex.paths.team)) return [];
  const since = dex.now() - MAX_UNCHECKED_MS;
  const notes = readSharedNotes(cacheFolder(dex.paths.team), since)
    .filter(({ owner }) => by === undefined || owner === by)
    .flatMap(({ scope, owner, kind, id, body, at }) => {
      const fields = asObject(body);
      const text = textOf(fields.text);
      const isKnown = kind === DECISION || SHARED_KINDS.includes(kind as MemoryKind);
      if (text === undefined || !isKnown) return [];
      return [{ id, time: at, kind, author: owner, text, because: textOf(fields.because), scope, fields }];
    });
  return matchByWords(notes, query, ({ text, because, fields }) => ({
    text,
    details: [because ?? "", ...textsOf(fields.alternatives), ...textsOf(fields.files)].join(" "),
  }))
    .slice(0, MAX_FOUND_NOTES)
    .map(({ kind, author, text, because, scope, time }) => ({
      kind,
      author,
      text,
      ...(because === undefined ? {} : { because }),
      scope,
      date: new Date(time).toISOString(),
    }));
}

function textOf(value: Json | undefined): string | undefined {
  const text = asString(value);
  return text === undefined || text === "" ? undefined : text.slice(0, MAX_TEXT_CHARS);
}

function textsOf(value: Json | undefined): string[] {
  return asArray(value)
    .slice(0, MAX_ITEMS)
    .flatMap((each) => textOf(each) ?? []);
}
