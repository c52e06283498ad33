/** The log of suggestions: what dex offered, when, how likely it was to help, and what became of it. */
import type { OperationOutput } from "../../../operations/by_name.ts";
import { duration, longCount, plural, Time } from "../../parts/format.tsx";
import { type Action, useAction } from "../../parts/hooks/use_action.ts";
import { useCall } from "../../parts/hooks/use_call.ts";
import { PlaceLink } from "../../parts/place_link.tsx";
import { ProjectPicker, useProject } from "../../parts/project.tsx";
import { percent } from "../../parts/sizes.ts";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { InlineCode } from "../../parts/text/inline_code.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith, param } from "../../router.ts";
import { Calibration } from "./calibration.tsx";
import href from "./view.css";

export const sheet = href;

type Suggestion = OperationOutput<"suggest log">["suggestions"][number];
type Item = Suggestion["items"][number];

const PAGE = 30;

export function View() {
  const all = param("all") === "1";
  const from = Number(param("from")) || 0;
  const project = useProject();
  const scope = all ? { all } : project;
  const log = useCall("suggest log", { ...scope, limit: PAGE, offset: from });
  const stats = useCall("suggest stats", scope);
  const action = useAction(() => {
    log.reload();
    stats.reload();
  });
  const suggestions = log.data?.suggestions ?? [];
  return (
    <div class="page suggestions">
      <header>
        <h1>Suggestions</h1>
        <p class="quiet">
          What dex offered to agents before they asked. Your verdicts adjust how often it offers each kind.
        </p>
      </header>
      <div class="toolbar">
        <a class={`chip ${all ? "chip-on" : ""}`} href={hrefWith({ all: all ? "" : "1", from: "" })}>
          {all ? "All projects" : "Show all projects"}
        </a>
        {!all && <ProjectPicker />}
      </div>
      {stats.data && stats.data.proactive_suggestion_count > 0 && <Stats stats={stats.data} />}
      {log.error !== undefined && <Problem error={log.error} retry={log.reload} />}
      {!log.data && log.loading && <Loading />}
      {log.data && suggestions.length === 0 && (
        <Empty title="No suggestions yet">
          Hooks suggest while an agent works: <code>dex install claude_code --hooks</code>.
        </Empty>
      )}
      <ol class="rows">
        {suggestions.map((suggestion) => (
          <li key={suggestion.id}>
            <Row suggestion={suggestion} action={action} />
          </li>
        ))}
      </ol>
      <p class="pages">
        {from > 0 && (
          <a class="button" href={hrefWith({ from: from - PAGE > 0 ? String(from - PAGE) : "" })}>
            Later ones
          </a>
        )}
        {log.data && from + PAGE < log.data.total && (
          <a class="button" href={hrefWith({ from: String(from + PAGE) })}>
            Earlier ones
          </a>
        )}
      </p>
    </div>
  );
}

function Stats({ stats }: { stats: OperationOutput<"suggest stats"> }) {
  const { proactive_suggestion_count, proactive_used_rate, proactive_dismissed_rate, feedback } = stats;
  const { p50, p95 } = stats.proactive_latency_ms;
  return (
    <section aria-label="Statistics" class="suggestion-stats">
      <dl class="figures">
        <Figure name="Suggestions" value={longCount(proactive_suggestion_count)} />
        <Figure name="Used" value={proactive_used_rate === null ? "–" : percent(proactive_used_rate)} />
        <Figure name="Dismissed" value={proactive_dismissed_rate === null ? "–" : percent(proactive_dismissed_rate)} />
        <Figure name="Verdicts by people" value={longCount(feedback.explicit)} />
        <Figure name="Median time" value={p50 === null ? "–" : duration(p50)} />
        <Figure name="95 of 100 within" value={p95 === null ? "–" : duration(p95)} />
      </dl>
      <Calibration bins={stats.relevance_score_vs_usage} />
    </section>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Row({ suggestion, action }: { suggestion: Suggestion; action: Action }) {
  const { id, time, surface, trigger, items, latency_ms, sessionId, projectId } = suggestion;
  return (
    <article class="suggestion">
      <header>
        <h2 class="suggestion-trigger">{visible(momentOf(trigger))}</h2>
        <p class="quiet suggestion-facts">
          <Time iso={time} />
          {momentOf(trigger) !== trigger.source && (
            <span>{visible(trigger.source || trigger.type.replaceAll("_", " "))}</span>
          )}
          <span>{visible(surface)}</span>
          <span>{plural(items.length, "item")}</span>
          <span>{duration(latency_ms)}</span>
          {sessionId !== null && <PlaceLink place={`${sessionId}#0`} />}
        </p>
      </header>
      <ul>
        {items.map((item) => (
          <li key={item.index}>
            <ItemRow id={id} item={item} project={projectFolder(projectId)} action={action} />
          </li>
        ))}
      </ul>
    </article>
  );
}

/** The label before the title names the type. */
const TYPE_IN_TITLE = /^(?:Recent change|Decision|Doc|Conversation): /;
const OUTCOMES = { used: "used", dismissed: "dismissed", ignored: "not used" } as const;

/** A project is known by the folder of its repository. */
function projectFolder(projectId: string): string {
  return projectId.replace(/[\\/]\.git$/, "");
}

interface ItemRowProps {
  id: string;
  item: Item;
  project: string;
  action: Action;
}

function ItemRow({ id, item, project, action }: ItemRowProps) {
  const { index, type, title, summary, reason, entityId, actionUrl, score, outcome, how } = item;
  const judge = (verdict: "used" | "dismissed"): void => {
    if (outcome === verdict && how === "explicit") return;
    const done = verdict === "used" ? "Noted: it helped." : "Noted: it did not help.";
    void action.run("feedback", { suggestion: id, action: verdict, item: index }, done);
  };
  return (
    <div class="item">
      <span class="item-score" title="The chance that it helps, as dex estimated it">
        {percent(score)}
      </span>
      <div>
        <p>
          <span class="chip">{type === "related_code" ? "related file" : type.replaceAll("_", " ")}</span>{" "}
          <InlineCode text={title.replace(TYPE_IN_TITLE, "")} />
        </p>
        {summary !== "" && summary !== title && <p class="quiet item-text">{visible(summary)}</p>}
        <p class="quiet item-facts">
          <PlaceLink place={type === "conversation" ? actionUrl : entityId} project={project} />
          {reason !== "" && <span>{visible(reason)}</span>}
          {outcome !== null && (
            <span>
              {OUTCOMES[outcome]}
              {how === "implicit" ? " (observed)" : " (a person said so)"}
            </span>
          )}
        </p>
      </div>
      <span class="item-verdicts">
        <button
          type="button"
          class="plain"
          aria-pressed={outcome === "used" && how === "explicit"}
          aria-label={`It helped: ${title}`}
          disabled={action.busy}
          onClick={() => judge("used")}
        >
          Helped
        </button>
        <button
          type="button"
          class="plain"
          aria-pressed={outcome === "dismissed" && how === "explicit"}
          aria-label={`It did not help: ${title}`}
          disabled={action.busy}
          onClick={() => judge("dismissed")}
        >
          Did not
        </button>
      </span>
    </div>
  );
}

/** Hosts have names of their own for the same moments. */
const MOMENTS: readonly [RegExp, string][] = [
  [/prompt|message|beforeagent/i, "On a prompt"],
  [/tool|file|edit/i, "On a file"],
  [/start/i, "At the start of a session"],
];

function momentOf({ type, source }: { type: string; source: string }): string {
  if (type !== "activity") return source || type.replaceAll("_", " ");
  return MOMENTS.find(([names]) => names.test(source))?.[1] ?? source;
}
