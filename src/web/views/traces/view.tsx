/** Recent retrievals, and one of them in full: its stages, its ranking, what fell out, and its replay. */
import { duration, longCount, plural, Time } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { chosenPeriod, isInPeriod } from "../../parts/period.ts";
import { PeriodChip } from "../../parts/period_chip.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith, param, setQuery } from "../../router.ts";
import type { ViewProps } from "../../routes.ts";
import { queryOf } from "./query_text.ts";
import { TraceView } from "./trace.tsx";
import href from "./view.css";

export const sheet = href;

const STEP = 100;
const MAX_TAIL = 1000;

export function View({ params }: ViewProps) {
  return params.id ? <TraceView id={params.id} /> : <Traces />;
}

function Traces() {
  const query = param("q").toLowerCase();
  const tail = Math.min(MAX_TAIL, Number(param("tail")) || STEP);
  const { data, error, loading, reload } = useCall("traces", { tail });
  const traces = (data?.traces ?? []).toSorted((a, b) => (a.ts < b.ts ? 1 : -1));
  const period = chosenPeriod();
  const shown = traces.filter(
    (trace) =>
      isInPeriod(period, trace.ts) && `${trace.command} ${visible(queryOf(trace))}`.toLowerCase().includes(query),
  );
  return (
    <div class="page">
      <header>
        <h1>Traces</h1>
        <p class="quiet">
          Every retrieval that dex did for you or an agent: what it looked for, what it found, and why.
        </p>
      </header>
      <div class="toolbar">
        <input
          type="search"
          aria-label="Filter traces"
          placeholder="Command or words of the query"
          value={param("q")}
          onInput={(event) => setQuery({ q: event.currentTarget.value }, { replace: true })}
        />
        <PeriodChip />
      </div>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && loading && <Loading lines={10} />}
      {data && !data.enabled && (
        <p class="quiet">
          Traces are off: <a href="/settings?q=traces.enabled">traces.enabled</a>
        </p>
      )}
      {data &&
        shown.length === 0 &&
        (traces.length > 0 ? (
          <Empty title={`None of the latest ${longCount(traces.length)} traces matches`} />
        ) : (
          <Empty title="No traces">A search with Enter writes the first one.</Empty>
        ))}
      <ul class="rows traces">
        {shown.map((trace) => (
          <li key={trace.trace_id}>
            <a href={`/traces/${trace.trace_id}`} class="trace-row">
              <span class="mono">{trace.command}</span>
              <span class="one-line trace-query">{visible(queryOf(trace))}</span>
              <span class="quiet">
                {trace.error ? trace.error.code : plural(trace.ranking.length, "result")}, {duration(trace.duration_ms)}
              </span>
              <span class="quiet">
                <Time iso={trace.ts} />
              </span>
            </a>
          </li>
        ))}
      </ul>
      {data && traces.length === tail && tail < MAX_TAIL && (
        <a class="button" href={hrefWith({ tail: String(tail + STEP) })}>
          Older ones
        </a>
      )}
    </div>
  );
}
