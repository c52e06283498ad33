/** One retrieval: stages as a bar, the ranking with its reasons, what fell out, and then and now side by side. */
import type { OperationOutput } from "../../../operations/by_name.ts";
import { duration, plural, Time } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { PlaceLink } from "../../parts/place_link.tsx";
import { ScrollRegion } from "../../parts/scroll_region.tsx";
import { Loading, Problem } from "../../parts/states.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith, param } from "../../router.ts";
import { queryOf } from "./query_text.ts";

type Answer = OperationOutput<"trace">;
type Trace = Answer["trace"];

export function TraceView({ id }: { id: string }) {
  const replay = param("replay") === "1";
  const { data, error, loading, reload } = useCall("trace", { id, replay });
  const trace = data?.trace;
  return (
    <div class="page trace">
      <header>
        <p>
          <a href="/traces">Traces</a>
        </p>
        <h1 class="trace-title">{visible(trace ? queryOf(trace) || trace.command : id)}</h1>
        {trace && (
          <p class="quiet">
            <code>dex {trace.command}</code>, <Time iso={trace.ts} long />, {duration(trace.duration_ms)},{" "}
            <span class="mono">{trace.trace_id}</span>
          </p>
        )}
      </header>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && loading && <Loading />}
      {trace && (
        <>
          {trace.error && <Problem error={new Error(trace.error.message)} />}
          {trace.partial && trace.partial.length > 0 && (
            <p class="quiet">Not complete in the trace: {trace.partial.join(", ")}.</p>
          )}
          <Stages trace={trace} />
          <Counts title="Looked at" counts={trace.inputs} />
          <Counts title="Limits" counts={trace.budgets} />
          <Counts title="Cut by the limits" counts={trace.truncation} />
          <div class="toolbar">
            {replay ? (
              <a class="button" href={hrefWith({ replay: "" })}>
                Only then
              </a>
            ) : (
              <a class="button" href={hrefWith({ replay: "1" })}>
                Replay: then and now
              </a>
            )}
            {replay && loading && <span class="quiet">Running it again…</span>}
          </div>
          {data?.replay && replay ? <Replay answer={data} /> : <Ranking trace={trace} />}
          <Dropped trace={trace} />
        </>
      )}
    </div>
  );
}

function Stages({ trace }: { trace: Trace }) {
  const total = Math.max(
    trace.stages.reduce((sum, { ms }) => sum + ms, 0),
    0.001,
  );
  if (trace.stages.length === 0) return null;
  let at = 0;
  return (
    <section aria-label="Stages">
      <h2>Stages</h2>
      <svg class="stages" viewBox="0 0 1000 28" preserveAspectRatio="none" aria-hidden="true">
        {trace.stages.map(({ name, ms }, index) => {
          const x = (at / total) * 1000;
          const width = Math.max(1, (ms / total) * 1000 - 2);
          at += ms;
          return <rect key={name} class={`stage stage-${index % 4}`} x={x} y={0} width={width} height={28} rx={2} />;
        })}
      </svg>
      <ol class="stage-list">
        {trace.stages.map(({ name, ms, in: given, out }, index) => (
          <li key={name}>
            <span class={`stage-key stage-${index % 4}`} aria-hidden="true" />
            <span>{name}</span>
            <span class="quiet">
              {duration(ms)}
              {given !== undefined && `, ${given} in`}
              {out !== undefined && `, ${out} out`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Counts({ title, counts }: { title: string; counts: Readonly<Record<string, number>> }) {
  const shown = Object.entries(counts).filter(([, value]) => value !== 0);
  if (shown.length === 0) return null;
  return (
    <p>
      <span class="quiet">{title}: </span>
      {shown.map(([name, value]) => `${name} ${value.toLocaleString("en")}`).join(", ")}
    </p>
  );
}

/** The address of a hit as a link, where the page has one. */
function HitLink({ id, summary }: { id: string; summary?: string | undefined }) {
  const target = /^[\w-]{8,}$/.test(id) ? `${id}#0` : id;
  return (
    <span class="hit">
      {summary !== undefined && <span class="hit-summary">{visible(summary)} </span>}
      <PlaceLink place={target} />
    </span>
  );
}

function Ranking({ trace }: { trace: Trace }) {
  return (
    <section aria-label="Ranking">
      <h2>{plural(trace.ranking.length, "result")}</h2>
      <ol class="rows">
        {trace.ranking.map(({ id, summary, score, why, source }, index) => (
          <li key={`${index} ${id}`} class="ranked">
            <span class="number quiet">{index + 1}</span>
            <div>
              <HitLink id={id} summary={summary} />
              {source !== undefined && <span class="quiet"> {source}</span>}
              {why && (
                <p class="quiet rank-why">
                  {Object.entries(why).map(([name, value]) => (
                    <span key={name} class="chip">
                      {name} {shortNumber(value)}
                    </span>
                  ))}
                </p>
              )}
            </div>
            <span class="number mono">{score === undefined ? "" : shortNumber(score)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const CHANGES = { same: "same place", moved: "moved", new: "new", gone: "gone" } as const;

function Replay({ answer }: { answer: Answer }) {
  const { replay, trace } = answer;
  if (!replay) return null;
  const sameIndex = replay.state_revision === trace.state_revision;
  return (
    <section aria-label="Then and now">
      <h2>{replay.changed ? "Then and now" : "The same result as then"}</h2>
      <p class="quiet">
        {duration(trace.duration_ms)} then, {duration(replay.duration_ms)} now.{" "}
        {sameIndex ? "The index has not changed since." : "The index has changed since."}
      </p>
      {replay.error && <Problem error={new Error(replay.error.message)} />}
      <ScrollRegion label="Places then and now">
        <table class="table replay">
          <thead>
            <tr>
              <th scope="col" class="number">
                Then
              </th>
              <th scope="col" class="number">
                Now
              </th>
              <th scope="col">Change</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {replay.changes.map(({ id, change, before, after, summary }, index) => (
              <tr key={`${index} ${id}`} class={`change-${change}`}>
                <td class="number">{before ?? "–"}</td>
                <td class="number">{after ?? "–"}</td>
                <td>
                  <span class="change">{moveText(change, before, after)}</span>
                </td>
                <td>
                  <HitLink id={id} summary={summary} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}

function moveText(change: keyof typeof CHANGES, before: number | null, after: number | null): string {
  if (change !== "moved" || before === null || after === null) return CHANGES[change];
  return after < before ? `up ${before - after}` : `down ${after - before}`;
}

function Dropped({ trace }: { trace: Trace }) {
  if (trace.dropped.length === 0) return null;
  return (
    <section aria-label="Near misses">
      <h2>Near misses</h2>
      <ul class="rows">
        {trace.dropped.map(({ id, reason }, index) => (
          <li key={`${index} ${id}`}>
            <HitLink id={id} /> <span class="quiet">{visible(reason)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function shortNumber(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(Math.abs(value) < 10 ? 3 : 1);
}
