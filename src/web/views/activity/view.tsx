/** Activity: a year of days as a heatmap, the shares of agents and projects, and the usage by month. */
import { useState } from "preact/hooks";
import type { OperationOutput } from "../../../operations/by_name.ts";
import { Agent, longCount, plural, shortCount } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { chosenPeriod } from "../../parts/period.ts";
import { PeriodChip } from "../../parts/period_chip.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { distinctNames, projectName, visible } from "../../parts/text/visible.ts";
import { hrefWith, param } from "../../router.ts";
import { Heatmap } from "./heatmap.tsx";
import { isMeasure, MEASURES, type Measure } from "./measure.ts";
import { Usage } from "./usage.tsx";
import href from "./view.css";

export const sheet = href;

type Activity = OperationOutput<"activity">;
type Row = Activity["agents"][number];

const MAX_ROWS = 15;

export function View() {
  const wanted = param("by");
  const by: Measure = isMeasure(wanted) ? wanted : "messages";
  const source = param("source");
  const project = param("project");
  const filter = { ...(source === "" ? {} : { source }), ...(project === "" ? {} : { project }) };
  const { data, error, loading, reload } = useCall("activity", { ...filter, ...chosenPeriod() });
  const years = [...new Set((data?.days ?? []).map(({ day }) => day.slice(0, 4)))].reverse();
  const year = years.includes(param("year")) ? param("year") : (years[0] ?? "");
  const ofYear = useCall("activity", years.length > 1 ? { ...filter, ...daysOf(year) } : undefined).data;
  const shares = years.length > 1 ? ofYear : data;
  const nameOf = distinctNames((shares?.projects ?? []).map(({ name }) => name));
  return (
    <div class="page activity">
      <header>
        <h1>Activity</h1>
        {data && (
          <p class="quiet">
            {plural(data.total.conversations, "conversation")}, {plural(data.total.messages, "message")}, about{" "}
            {shortCount(data.total.tokens)} tokens
          </p>
        )}
      </header>
      <div class="toolbar">
        <nav class="tabs" aria-label="Years">
          {years.map((each) => (
            <a key={each} href={hrefWith({ year: each })} aria-current={each === year ? "true" : undefined}>
              {each}
            </a>
          ))}
        </nav>
        <nav class="tabs" aria-label="Measure">
          {MEASURES.map((measure) => (
            <a key={measure} href={hrefWith({ by: measure })} aria-current={measure === by ? "true" : undefined}>
              {measure}
            </a>
          ))}
        </nav>
        <PeriodChip />
        {source !== "" && (
          <a class="chip chip-on" href={hrefWith({ source: "" })} aria-label={`All agents, not only ${source}`}>
            {source} ×
          </a>
        )}
        {project !== "" && (
          <a class="chip chip-on" href={hrefWith({ project: "" })} aria-label={`All projects, not only ${project}`}>
            {projectName(project)} ×
          </a>
        )}
      </div>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && loading && <Loading lines={8} />}
      {data && data.total.messages === 0 && <Empty title="No activity yet" />}
      {data && year !== "" && (
        <>
          <Heatmap days={data.days} year={year} by={by} filter={filter} />
          <div class="activity-columns">
            <section aria-label="Agents">
              <h2>Agents in {year}</h2>
              <Bars
                rows={shares?.agents}
                by={by}
                href={(name) => hrefWith({ source: name })}
                label={(name) => <Agent source={name} />}
              />
            </section>
            <section aria-label="Projects">
              <h2>Projects in {year}</h2>
              <Bars
                rows={shares?.projects}
                by={by}
                href={(name) => hrefWith({ project: name })}
                label={(name) => <span title={name}>{visible(nameOf(name)) || "no project"}</span>}
              />
            </section>
          </div>
          <Usage year={year} filter={filter} />
        </>
      )}
    </div>
  );
}

/** The days of a year that are chosen. Days compare as their texts do. */
function daysOf(year: string): { from: string; to: string } {
  const { from = "", to = "9999" } = chosenPeriod();
  const [, , first = ""] = ["", from, `${year}-01-01`].toSorted();
  const [last = ""] = [to, `${year}-12-31`].toSorted();
  return { from: first, to: last };
}

interface BarsProps {
  /** Undefined while they are loading. */
  rows: readonly Row[] | undefined;
  by: Measure;
  href(name: string): string;
  label(name: string): preact.ComponentChildren;
}

function Bars({ rows, by, href: hrefOf, label }: BarsProps) {
  const sorted = (rows ?? []).toSorted((a, b) => b[by] - a[by]);
  const most = Math.max(1, sorted[0]?.[by] ?? 0);
  const [all, setAll] = useState(false);
  const shown = all ? sorted : sorted.slice(0, MAX_ROWS);
  if (!rows) return <Loading lines={4} />;
  return (
    <ul class="bars">
      {shown.map((row) => (
        <li key={row.name}>
          {row.name === "" ? label(row.name) : <a href={hrefOf(row.name)}>{label(row.name)}</a>}
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect class="amount-bar" width={Math.max(0.5, (row[by] / most) * 100)} height={8} rx={1} />
          </svg>
          <span class="number" title={longCount(row[by])}>
            {shortCount(row[by])}
          </span>
        </li>
      ))}
      {sorted.length > shown.length && (
        <li>
          <button type="button" class="plain more" onClick={() => setAll(true)}>
            {longCount(sorted.length - shown.length)} more
          </button>
        </li>
      )}
    </ul>
  );
}
