/** The project's timeline: commits, decisions and sessions on one axis, with a brush, and the events under it. */
import { Fragment } from "preact";
import { useEffect } from "preact/hooks";
import type { OperationOutput } from "../../../operations/by_name.ts";
import { dayOfTime } from "../../parts/days.ts";
import { Agent, clockTime, dayOf, longCount, plural } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { conversationHref } from "../../parts/links.ts";
import { isInPeriod } from "../../parts/period.ts";
import { decisionHref } from "../../parts/place.ts";
import { ProjectPicker, useProject } from "../../parts/project.tsx";
import { percent } from "../../parts/sizes.ts";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith, param, setQuery } from "../../router.ts";
import { ROUTES, routeHref } from "../../routes.ts";
import { Axis } from "./axis.tsx";
import { isKind, KINDS, type Kind } from "./kinds.ts";
import href from "./view.css";

export const sheet = href;

type Event = OperationOutput<"history">["events"][number];

const MAX_EVENTS = 5000;
const STEP = 200;

export function View() {
  const project = useProject();
  const input = { ...project, limit: MAX_EVENTS };
  const { data, error, loading, progress, reload } = useCall("history", input, { draft: true, long: true });
  const events = data?.events ?? [];
  const hidden = param("without").split(",").filter(isKind);
  const range = rangeOf(events);
  const commit = param("commit");
  const shown = events.filter(({ kind, time }) => !hidden.includes(kind) && isInPeriod(range, time));
  const count = Math.max(STEP, Number(param("n")) || 0, commitPlace(shown, commit) + 1);
  useEffect(() => {
    if (commit !== "" && data) document.getElementById(`event-${commit}`)?.scrollIntoView({ block: "center" });
  }, [commit, data]);
  return (
    <div class="page timeline">
      <header>
        <h1>Timeline</h1>
        <p class="quiet">
          Commits, decisions and conversations of a project on one axis. Drag across it to choose a time.
        </p>
      </header>
      <div class="toolbar">
        {KINDS.map(({ kind, one, many }) => (
          <a key={kind} class="chip" href={hrefWith({ without: toggled(hidden, kind) })}>
            <span class={`kind-key kind-${kind}`} aria-hidden="true" />
            {hidden.includes(kind) ? `Show ${many}` : `${data ? plural(countOf(shown, kind), one, many) : many} ×`}
          </a>
        ))}
        <ProjectPicker />
      </div>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && loading && <Loading lines={8} progress={progress} />}
      {data && events.length === 0 && (
        <Empty title="This project has no history yet">
          <code>dex refresh</code> reads the commits of a project.
        </Empty>
      )}
      {events.length > 0 && (
        <>
          <Axis
            events={events.filter(({ kind }) => !hidden.includes(kind))}
            from={range.from}
            to={range.to}
            choose={(from, to) => setQuery({ from, to, n: "" }, { replace: true })}
          />
          <p class="quiet timeline-count" role="status">
            {plural(shown.length, "event")} from {dayOf(range.from)} to {dayOf(range.to)}
            {(param("from") || param("to")) && (
              <>
                {" · "}
                <a href={hrefWith({ from: "", to: "", n: "" })}>All times</a>
                {" · these days in "}
                <OtherViews />
              </>
            )}
            {data &&
              data.total > events.length &&
              ` · the latest ${longCount(events.length)} of ${longCount(data.total)}`}
          </p>
          <Days events={shown.slice(0, count)} repository={project.project} chosen={commit} />
          {shown.length > count && (
            <a class="button" href={hrefWith({ n: String(count + STEP) })}>
              {longCount(Math.min(STEP, shown.length - count))} earlier ones
            </a>
          )}
        </>
      )}
    </div>
  );
}

/** The views that show the same days, which the navigation carries there, too. */
function OtherViews() {
  const others = ROUTES.filter(({ hasPeriod, name }) => hasPeriod && name !== "timeline");
  return others.map((route, at) => (
    <Fragment key={route.name}>
      {at > 0 && ", "}
      <a href={routeHref(route)}>{route.title.toLowerCase()}</a>
    </Fragment>
  ));
}

function toggled(hidden: readonly Kind[], kind: Kind): string {
  return (hidden.includes(kind) ? hidden.filter((each) => each !== kind) : [...hidden, kind]).join(",");
}

function countOf(events: readonly Event[], kind: Kind): number {
  return events.filter((event) => event.kind === kind).length;
}

/** The chosen days, or all of them. Events come newest first. */
function rangeOf(events: readonly Event[]): { from: string; to: string } {
  const first = dayOfTime(events.at(-1)?.time ?? "");
  const last = dayOfTime(events[0]?.time ?? "");
  const commit = param("commit");
  const from = param("from");
  const to = param("to");
  return { from: commit === "" && from !== "" ? from : first, to: commit === "" && to !== "" ? to : last };
}

function commitPlace(events: readonly Event[], commit: string): number {
  return commit === "" ? -1 : events.findIndex(({ ref }) => ref.startsWith(commit));
}

interface DaysProps {
  events: readonly Event[];
  repository: string | undefined;
  chosen: string;
}

function Days({ events, repository, chosen }: DaysProps) {
  const days = [...Map.groupBy(events, ({ time }) => dayOfTime(time))];
  return (
    <ol class="days">
      {days.map(([day, ofDay]) => (
        <li key={day}>
          <h2>{dayOf(day)}</h2>
          <ul>
            {ofDay.map((event) => (
              <Row key={`${event.kind} ${event.ref}`} event={event} repository={repository} chosen={chosen} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

interface RowProps {
  event: Event;
  repository: string | undefined;
  chosen: string;
}

function Row({ event, repository, chosen }: RowProps) {
  const { kind, ref, text, time } = event;
  const isChosen = chosen !== "" && kind === "commit" && ref.startsWith(chosen);
  return (
    <li class={`event event-${kind} ${isChosen ? "event-chosen" : ""}`} id={isChosen ? `event-${chosen}` : undefined}>
      <span class={`kind-key kind-${kind}`} aria-hidden="true" />
      <div class="event-words">
        {kind === "conversation" ? (
          <a class="event-text" dir="auto" href={conversationHref(ref.split("#")[0] ?? ref)}>
            {visible(text)}
          </a>
        ) : kind === "decision" ? (
          <a class="event-text" dir="auto" href={decisionHref(ref, repository)}>
            {visible(text)}
          </a>
        ) : (
          <span class="event-text" dir="auto">
            {visible(text)}
          </span>
        )}
        <p class="quiet event-facts">
          <span>{KINDS.find((each) => each.kind === kind)?.one}</span>
          {event.source !== undefined && <Agent source={event.source} />}
          {kind === "commit" && <span class="place">{ref.slice(0, 9)}</span>}
          {event.author !== undefined && <span>{visible(event.author)}</span>}
          {event.added !== undefined && (
            <span>
              <span class="added">+{longCount(event.added)}</span>{" "}
              <span class="deleted">−{longCount(event.deleted ?? 0)}</span>
            </span>
          )}
          {event.status !== undefined && <span>{event.status}</span>}
          {event.because !== undefined && <span>because {visible(event.because)}</span>}
          {event.conversation && (
            <span>
              made in{" "}
              <a href={addressHref(event.conversation.address)}>{visible(shortTitle(event.conversation.title))}</a> (
              {percent(event.conversation.confidence)} sure)
            </span>
          )}
        </p>
      </div>
      <time class="quiet" dateTime={time}>
        {clockTime(time)}
      </time>
    </li>
  );
}

const MAX_TITLE_CHARS = 70;

function shortTitle(title: string): string {
  return title.length <= MAX_TITLE_CHARS ? title : `${title.slice(0, MAX_TITLE_CHARS - 1)}…`;
}

function addressHref(address: string): string {
  const [id = address, index] = address.split("#");
  return conversationHref(id, index === undefined ? undefined : Number(index));
}
