/**
 * The project's past as passages: messages of commits, and decisions. Documents and code say how something is, and
 * rarely why it became so.
 */
import { type Decision, isOfCommit } from "../../../decisions/decision.ts";
import { rankByWords } from "../../../decisions/search.ts";
import type { Dex } from "../../../dex.ts";
import { findRepository } from "../../../history/repository.ts";
import { withoutTrailers } from "../../../history/trailers.ts";
import { knownDecisionsOf } from "../../../project/decisions.ts";
import { withRepository } from "../../../project/repository.ts";
import type { TermCounts } from "../../../ranking/hits.ts";
import { redactText } from "../../../redact/redact.ts";
import type { CommitInfo } from "../../../store/history_records.ts";
import { COMMITS, DECISIONS, type Passage } from "../../passage.ts";
import { termsOf } from "../../terms.ts";
import { askedOfPast, givesReason } from "./asks.ts";

/** Older commits are not searched. */
const MAX_COMMITS = 20_000;
const MAX_BODY_CHARS = 4000;
const SHA_CHARS = 12;

interface Told {
  id: string;
  time: number;
  /** The change or decision, in a line. */
  text: string;
  details: string;
  passage: Omit<Passage, "score">;
}

export class ProjectPast {
  readonly #told: readonly Told[];
  #terms: readonly ReadonlySet<string>[] | undefined;

  constructor(told: readonly Told[]) {
    this.#told = told;
  }

  /** The best first, with scores relative to the best. A question for reasons gets texts that give one. */
  find(query: string, limit: number): Passage[] {
    const fitting =
      askedOfPast(query) === "why"
        ? this.#told.filter(({ text, details }) => givesReason(`${text}\n${details}`))
        : this.#told;
    const ranked = rankByWords(fitting, query, ({ text, details }) => ({ text, details })).slice(0, limit);
    const best = ranked[0]?.score ?? 1;
    return ranked.map(({ thing, score }) => ({ ...thing.passage, score: score / best }));
  }

  count(terms: readonly string[]): TermCounts {
    this.#terms ??= this.#told.map(({ text, details }) => termsOf(`${text}\n${details}`));
    const texts = this.#terms;
    const having = new Map(terms.map((term) => [term, texts.filter((held) => held.has(term)).length]));
    return { texts: texts.length, having };
  }
}

/** Undefined outside a repository. */
export async function pastOf(dex: Dex): Promise<ProjectPast | undefined> {
  if (!findRepository(dex.cwd)) return undefined;
  return withRepository(dex, undefined, {}, (open) => {
    const decisions = knownDecisionsOf(dex, open).filter((each) => each.shown && !isOfCommit(each));
    const commits = open.history.recent(MAX_COMMITS);
    return new ProjectPast([...decisions.map(toldByDecision), ...commits.map(toldByCommit)]);
  });
}

function toldByCommit({ sha, time, author, subject, body }: CommitInfo): Told {
  const text = redactText(subject).text;
  const details = redactText(withoutTrailers(body).slice(0, MAX_BODY_CHARS)).text;
  const passage = {
    collection: COMMITS,
    document: sha.slice(0, SHA_CHARS),
    section: `${text} (${dayOf(time)}, ${redactText(author).text})`,
    title: "",
    text: details === "" ? text : details,
  };
  return { id: sha, time, text, details, passage };
}

function toldByDecision({ id, time, text, because, alternatives, status, place }: Decision): Told {
  const details = [
    ...(because ? [`Because ${because}`] : []),
    ...(alternatives.length > 0 ? [`Instead of: ${alternatives.join("; ")}.`] : []),
  ].join("\n\n");
  const passage = {
    collection: DECISIONS,
    document: id,
    section: `${place} (${dayOf(time)}, ${status})`,
    title: "",
    text: redactText(details === "" ? text : `${text}\n\n${details}`).text,
  };
  return { id, time, text, details, passage };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
