/**
 * A project as dex would have known it at a moment of the past: a clone at an earlier commit with its own history, code
 * graph and decisions, and only the conversations that had ended by then.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { indexProject } from "../../../src/code/indexing/indexer.ts";
import { type CodeProject, findCodeProject, openCode } from "../../../src/code/project.ts";
import type { Decision } from "../../../src/decisions/decision.ts";
import { projectDecisions } from "../../../src/decisions/project.ts";
import type { Dex } from "../../../src/dex.ts";
import { historyPath } from "../../../src/history/place.ts";
import { findRepository, type Repository } from "../../../src/history/repository.ts";
import { updateHistory } from "../../../src/history/update.ts";
import { commitChanges, conversationChanges } from "../../../src/project/changes.ts";
import { conversationLoader } from "../../../src/project/loading.ts";
import type { CodeReader } from "../../../src/store/code.ts";
import { openHistory } from "../../../src/store/engine/history.ts";
import type { HistoryReader } from "../../../src/store/history.ts";
import type { ProjectView } from "../../../src/suggest/evidence.ts";
import type { LikelyFile } from "../../../src/suggest/files/likely.ts";
import type { NearConversation } from "../../../src/suggest/files/prompt/past.ts";
import { promptFiles } from "../../../src/suggest/files/prompt/prompt_files.ts";
import type { Activity } from "../../../src/suggest/model.ts";
import {
  type Index,
  indexBefore,
  memoizedIndex,
  type PastSources,
  viewAt,
} from "../../../src/suggest/replay/past_view.ts";
import { inForce } from "../../../src/suggest/view/stored_findings.ts";

/** Commits between two states of the history and of the decisions, and between two of the graph. */
const HISTORY_STEP = 3;
const GRAPH_STEP = 40;

export class PastProject {
  readonly #dex: Dex;
  readonly #index: Index;
  readonly #folder: string;
  readonly #clone: string | undefined;
  readonly #root: string;
  #asOf = { commit: Number.NEGATIVE_INFINITY, graph: Number.NEGATIVE_INFINITY };
  #repository: Repository;
  #history: HistoryReader;
  #code: CodeProject | undefined;
  #graph: CodeReader | undefined;
  #decisions: Decision[] = [];

  private constructor(dex: Dex, folder: string, root: string, clone: string | undefined) {
    this.#dex = dex;
    this.#index = memoizedIndex(dex.store);
    this.#folder = folder;
    this.#root = root;
    this.#clone = clone;
    this.#repository = this.#find();
    this.#history = openHistory(historyPath(join(folder, "history"), this.#repository));
    this.#code = clone === undefined ? undefined : findCodeProject(join(folder, "code"), clone);
  }

  /** `root`: a repository, or the folder that conversations name; it need not exist. */
  static open(dex: Dex, root: string): PastProject {
    const folder = mkdtempSync(join(tmpdir(), "dex-kinds-"));
    const clone = existsSync(join(root, ".git")) ? join(folder, "clone") : undefined;
    if (clone !== undefined) git(["clone", "--quiet", "--shared", "--no-checkout", root, clone]);
    return new PastProject(dex, folder, root, clone);
  }

  close(): void {
    this.#graph?.close();
    this.#history.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Conversations name files below the original folder, so it counts as another working tree. */
  #find(): Repository {
    const none = { git: false, isProject: true, gitDir: this.#root, commonDir: this.#root, head: undefined };
    const bare: Repository = { ...none, shallow: [], partial: false, root: this.#root, roots: [this.#root] };
    const found = this.#clone === undefined ? undefined : findRepository(this.#clone);
    return found ? { ...found, roots: [found.root, this.#root] } : bare;
  }

  /** `at`: the position of the commit in the order of the replay. */
  async advance(commit: string, at: number, time: number): Promise<void> {
    if (this.#clone === undefined || at - this.#asOf.commit < HISTORY_STEP) return;
    git(["-C", this.#clone, "checkout", "--quiet", "--force", "--detach", commit]);
    this.#repository = this.#find();
    this.#history.close();
    const folder = join(this.#folder, "history");
    await updateHistory(this.#repository, folder);
    this.#history = openHistory(historyPath(folder, this.#repository));
    this.#asOf.commit = at;
    if (this.#code && at - this.#asOf.graph >= GRAPH_STEP) {
      this.#asOf.graph = at;
      this.#graph?.close();
      await indexProject(this.#code, { now: time });
      this.#graph = openCode(this.#code).store;
    }
    const graph = this.#graph;
    if (!graph) return;
    const found = await projectDecisions({
      repository: this.#repository,
      folder,
      conversations: this.view({ folder: this.#root, recent: [] }, time).links.conversations,
      load: conversationLoader(this.#dex),
      own: [],
      verdicts: new Map(),
      symbol: (name) => graph.named(name).some(({ kind }) => kind !== "file" && kind !== "test") || undefined,
    });
    this.#decisions = found.filter(inForce);
    // The scan wrote to the database.
    this.#history.close();
    this.#history = openHistory(historyPath(folder, this.#repository));
  }

  get repository(): Repository {
    return this.#repository;
  }

  sources(): PastSources {
    const [repository, history, graph, decisions] = [this.#repository, this.#history, this.#graph, this.#decisions];
    return { settings: this.#dex.settings, index: this.#index, repository, history, graph, decisions };
  }

  /** As dex would have answered then. */
  view(activity: Activity, now: number): ProjectView {
    const sources = this.sources();
    const view = viewAt(sources, activity, now);
    const { repository, history, graph } = sources;
    const rank = (prompt: string, near: readonly NearConversation[]): LikelyFile[] => {
      const conversations = conversationChanges(repository, indexBefore(this.#index, now), activity.session);
      return promptFiles({
        prompt,
        near,
        commits: commitChanges(history),
        conversations,
        ...(graph ? { code: graph } : {}),
      });
    };
    return { ...view, likely: { ...view.likely, for: rank } };
  }
}

function git(args: string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" };
  execFileSync("git", args, { env, stdio: ["ignore", "ignore", "ignore"] });
}
