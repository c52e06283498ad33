/**
 * The project's past as passages: commit messages and decisions. Documents and code describe the current state, and
 * rarely explain how it came about.
 */
import { type Decision, isOfCommit } from "../../../decisions/decision.ts";
import { WordRanking } from "../../../decisions/search.ts";
import type { Dex } from "../../../dex.ts";
import { findRepository } from "../../../history/repository.ts";
import { withoutTrailers } from "../../../history/trailers.ts";
import { knownDecisionsOf } from "../../../project/decisions.ts";
import { withRepository } from "../../../project/repository.ts";
import type { TermCounts } from "../../../ranking/hits.ts";
import { redactText } from "../../../redact/redact.ts";
import type { RunContext } from "../../../run_context.ts";
import type { CommitInfo } from "../../../store/history_records.ts";
import { COMMITS, DECISIONS, type Passage } from "../../passage.ts";
import { significantTerms } from "../../question/terms.ts";
import { givesReason, pastQuestionIn } from "./past_questions.ts";

/** Older commits are not searched. */
const MAX_COMMITS = 20_000;
const MAX_BODY_CHARS = 4000;
const SHA_CHARS = 12;

interface ProjectRecord {
  id: string;
  time: number;
  /** The change or the decision in one line. */
  text: string;
  details: string;
  /** Redacted. */
  passage(): Omit<Passage, "score">;
}

export class ProjectPast {
  readonly #records: WordRanking<ProjectRecord>;

  /** `question`: contains every word that later queries may have. */
  constructor(records: readonly ProjectRecord[], question: string) {
    this.#records = new WordRanking(records, significantTerms(question), ({ text, details }) => ({ text, details }));
  }

  /** Best first, with scores relative to the best. A question for reasons gets only texts that give one. */
  find(query: string, limit: number): Passage[] {
    const asksWhy = pastQuestionIn(query) === "why";
    const ranked = this.#records
      .rank(significantTerms(query), ({ text, details }) => !asksWhy || givesReason(`${text}\n${details}`))
      .slice(0, limit);
    const best = ranked[0]?.score ?? 1;
    return ranked.map(({ thing, score }) => ({ ...thing.passage(), score: score / best }));
  }

  count(terms: readonly string[]): TermCounts {
    return this.#records.count(terms);
  }
}

/** Undefined outside a repository. */
export async function pastOf(
  dex: Dex,
  question: string,
  { progress }: Pick<RunContext, "progress">,
): Promise<ProjectPast | undefined> {
  if (!findRepository(dex.cwd)) return undefined;
  return withRepository(dex, undefined, { progress }, (open) => {
    const decisions = knownDecisionsOf(dex, open).filter((each) => each.shown && !isOfCommit(each));
    const commits = open.history.recent(MAX_COMMITS);
    return new ProjectPast([...decisions.map(recordOfDecision), ...commits.map(recordOfCommit)], question);
  });
}

function recordOfCommit({ sha, time, author, subject, body }: CommitInfo): ProjectRecord {
  const details = withoutTrailers(body).slice(0, MAX_BODY_CHARS);
  const passage = (): Omit<Passage, "score"> => ({
    collection: COMMITS,
    document: sha.slice(0, SHA_CHARS),
    section: redactText(`${subject} (${dayOf(time)}, ${author})`).text,
    title: "",
    text: redactText(details === "" ? subject : details).text,
  });
  return { id: sha, time, text: subject, details, passage };
}

function recordOfDecision({ id, time, text, because, alternatives, status, place }: Decision): ProjectRecord {
  const details = [
    ...(because ? [`Because ${because}`] : []),
    ...(alternatives.length > 0 ? [`Instead of: ${alternatives.join("; ")}.`] : []),
  ].join("\n\n");
  const passage = (): Omit<Passage, "score"> => ({
    collection: DECISIONS,
    document: id,
    section: `${place} (${dayOf(time)}, ${status})`,
    title: "",
    text: redactText(details === "" ? text : `${text}\n\n${details}`).text,
  });
  return { id, time, text, details, passage };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
