/** The board of decisions: one column per status, with reasons, provenance, supersession and verdict buttons. */
import { useEffect, useState } from "preact/hooks";
import { Confirm } from "../../parts/dialog.tsx";
import { dayOf, plural } from "../../parts/format.tsx";
import { type Action, useAction } from "../../parts/hooks/use_action.ts";
import { useCall } from "../../parts/hooks/use_call.ts";
import { codeHref } from "../../parts/links.ts";
import { chosenPeriod, isInPeriod } from "../../parts/period.ts";
import { PeriodChip } from "../../parts/period_chip.tsx";
import { PlaceLink } from "../../parts/place_link.tsx";
import { ProjectPicker, useProject } from "../../parts/project.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { InlineCode } from "../../parts/text/inline_code.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith, param, setQuery } from "../../router.ts";
import type { Decision } from "./decision.ts";
import { RecordDecision } from "./record.tsx";
import { Supersede } from "./supersede.tsx";
import href from "./view.css";

export const sheet = href;

const COLUMNS = [
  { status: "proposed", title: "Proposed", note: "Found in a conversation; nobody has confirmed it" },
  { status: "accepted", title: "In force", note: "Stated in code, commits or by a person" },
  { status: "uncertain", title: "Uncertain", note: "May not be a decision; agents do not see it" },
  { status: "superseded", title: "Superseded", note: "A later decision replaces it" },
  { status: "past", title: "Past", note: "Reverted, rejected, or about code that is gone" },
] as const;

function columnOf({ status, uncertain }: Decision): (typeof COLUMNS)[number]["status"] {
  if (status === "superseded") return status;
  if (status !== "proposed" && status !== "accepted") return "past";
  return uncertain ? "uncertain" : status;
}

const MAX_SHOWN = 500;

export function View() {
  const project = useProject();
  const query = param("q");
  const all = param("all") === "1";
  const input = { ...project, ...(query === "" ? {} : { query }), all, limit: MAX_SHOWN };
  const { data, error, loading, progress, reload } = useCall("decisions", input, { draft: true, long: true });
  const action = useAction(reload);
  const chosen = param("id");
  useEffect(() => {
    if (data && chosen !== "") document.getElementById(`decision-${chosen}`)?.scrollIntoView({ block: "center" });
  }, [chosen, data !== undefined]);
  const period = chosenPeriod();
  const decisions = (data?.decisions ?? []).filter(({ date }) => isInPeriod(period, date));
  const shown = COLUMNS.filter(({ status }) => all || status === "proposed" || status === "accepted");
  return (
    <div class="page board-page">
      <header>
        <h1>Decisions</h1>
        <p class="quiet">What was decided in this project, why, instead of what, and where it was said.</p>
      </header>
      <div class="toolbar">
        <input
          type="search"
          aria-label="Filter decisions by words"
          placeholder="Words of a decision"
          value={query}
          onInput={(event) => setQuery({ q: event.currentTarget.value }, { replace: true })}
        />
        <a class={`chip ${all ? "chip-on" : ""}`} href={hrefWith({ all: all ? "" : "1" })}>
          {all ? "All decisions" : "Show past and uncertain ones, too"}
        </a>
        <PeriodChip />
        <ProjectPicker />
        <RecordDecision action={action} repository={project.project} />
      </div>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && loading && <Loading progress={progress} />}
      {data && decisions.length === 0 && (
        <Empty title={emptyTitle(query !== "", data.decisions.length > 0)}>
          dex finds decisions in code comments, commits and conversations. <code>dex refresh</code> looks for them.
        </Empty>
      )}
      {decisions.length > 0 && (
        <div class="board" data-columns={shown.length}>
          {shown.map((column) => (
            <Column
              key={column.status}
              title={column.title}
              note={column.note}
              decisions={decisions.filter((each) => columnOf(each) === column.status)}
              all={decisions}
              action={action}
              repository={project.project}
            />
          ))}
        </div>
      )}
    </div>
  );
}

function emptyTitle(hasWords: boolean, hasOthers: boolean): string {
  if (hasOthers) return "No decision of these days";
  return hasWords ? "No decision has these words" : "No decisions yet";
}

interface ColumnProps {
  title: string;
  note: string;
  decisions: readonly Decision[];
  all: readonly Decision[];
  action: Action;
  repository: string | undefined;
}

function Column({ title, note, decisions, all, action, repository }: ColumnProps) {
  return (
    <section class="column" aria-label={title}>
      <h2>
        {title} <span class="quiet">{decisions.length}</span>
      </h2>
      <p class="quiet column-note">{note}</p>
      <ul>
        {decisions.map((decision) => (
          <li key={decision.id}>
            <Card decision={decision} all={all} action={action} repository={repository} />
          </li>
        ))}
      </ul>
      {decisions.length === 0 && <p class="quiet">None.</p>}
    </section>
  );
}

interface CardProps {
  decision: Decision;
  all: readonly Decision[];
  action: Action;
  repository: string | undefined;
}

function Card({ decision, all, action, repository }: CardProps) {
  const [asking, setAsking] = useState<"reject" | "supersede">();
  const { id, text, status, uncertain, because, alternatives, files, origin_name, place, places = [], date } = decision;
  const target = { id, ...(repository === undefined ? {} : { project: repository }) };
  const others = places.filter((other) => other !== place);
  return (
    <article class={`card card-${status} ${param("id") === id ? "card-chosen" : ""}`} id={`decision-${id}`}>
      <p class="card-text">
        <InlineCode text={text} />
      </p>
      <dl>
        {because && !text.includes(because) && (
          <div>
            <dt>Because</dt>
            <dd>
              <InlineCode text={because} />
            </dd>
          </div>
        )}
        {alternatives.length > 0 && (
          <div>
            <dt>Instead of</dt>
            <dd>{visible(alternatives.join("; "))}</dd>
          </div>
        )}
        <SupersededBy decision={decision} all={all} />
        <div>
          <dt>Said in</dt>
          <dd>
            <PlaceLink place={place} project={repository} /> <span class="quiet">({origin_name})</span>
            {others.length > 0 && (
              <details>
                <summary>{plural(others.length, "other place")}</summary>
                <ul>
                  {others.map((other) => (
                    <li key={other}>
                      <PlaceLink place={other} project={repository} />
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </dd>
        </div>
        {files.length > 0 && (
          <div>
            <dt>About</dt>
            <dd class="card-files">
              {files.slice(0, 6).map((file) => (
                <a key={file} class="place" href={codeHref(file, { project: repository })}>
                  {visible(file)}
                </a>
              ))}
            </dd>
          </div>
        )}
      </dl>
      <footer>
        <span class="quiet">
          {dayOf(date)}
          {status !== "proposed" && status !== "accepted" && `, ${status}`}
        </span>
        <span class="card-actions">
          {(status !== "accepted" || uncertain) && (
            <button
              type="button"
              class="plain"
              disabled={action.busy}
              aria-label={`Accept: ${text}`}
              onClick={() => void action.run("decisions accept", target, "Accepted.")}
            >
              Accept
            </button>
          )}
          {status !== "superseded" && (
            <button
              type="button"
              class="plain"
              aria-label={`Supersede: ${text}`}
              onClick={() => setAsking("supersede")}
            >
              Supersede
            </button>
          )}
          {status !== "rejected" && (
            <button type="button" class="plain" aria-label={`Reject: ${text}`} onClick={() => setAsking("reject")}>
              Reject
            </button>
          )}
        </span>
      </footer>
      {asking === "reject" && (
        <Confirm
          title="Reject this decision?"
          action="Reject"
          run={() => action.run("decisions reject", target, "Rejected.")}
          close={() => setAsking(undefined)}
        >
          <p>{visible(text)}</p>
          <p class="quiet">dex shows it to no agent any more. You can accept it again.</p>
        </Confirm>
      )}
      {asking === "supersede" && (
        <Supersede
          decision={decision}
          all={all}
          problem={action.problem}
          run={(by) => action.run("decisions supersede", { ...target, ...(by === "" ? {} : { by }) }, "Superseded.")}
          close={() => setAsking(undefined)}
        />
      )}
    </article>
  );
}

function SupersededBy({ decision, all }: { decision: Decision; all: readonly Decision[] }) {
  const by = decision.superseded_by;
  const replaced = all.filter((other) => other.superseded_by === decision.id);
  if (by === undefined && replaced.length === 0) return null;
  const newer = all.find(({ id }) => id === by);
  return (
    <>
      {by !== undefined && (
        <div>
          <dt>Superseded by</dt>
          <dd>
            {newer ? (
              <a href={hrefWith({ id: newer.id, all: "1" })}>{visible(newer.text)}</a>
            ) : (
              <PlaceLink place={by} />
            )}
          </dd>
        </div>
      )}
      {replaced.map((older) => (
        <div key={older.id}>
          <dt>Replaces</dt>
          <dd>
            <a href={hrefWith({ id: older.id, all: "1" })}>{visible(older.text)}</a>
          </dd>
        </div>
      ))}
    </>
  );
}
