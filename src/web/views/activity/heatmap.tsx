/** A year as squares. Every day is a link to its conversations; the arrow keys go from day to day. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { plural } from "../../parts/format.tsx";
import { ScrollRegion } from "../../parts/scroll_region.tsx";
import { levelsOf, weeksOf } from "./calendar.ts";
import type { Measure } from "./measure.ts";

const CELL = 14;
const LEFT = 30;
const TOP = 18;
const WEEKS = 53;
const ONE: Readonly<Record<Measure, string>> = { messages: "message", tokens: "token", conversations: "conversation" };
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 };
const MONTH = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" });
const LONG_DAY = new Intl.DateTimeFormat("en", { dateStyle: "full", timeZone: "UTC" });

export interface HeatmapProps {
  days: readonly ({ day: string } & Record<Measure, number>)[];
  year: string;
  by: Measure;
  filter: Readonly<Record<string, string>>;
}

export function Heatmap({ days, year, by, filter }: HeatmapProps) {
  const values = new Map(days.filter(({ day }) => day.startsWith(year)).map((each) => [each.day, each[by]]));
  const level = levelsOf([...values.values()]);
  const cells = weeksOf(year);
  const busiest = [...values].toSorted((a, b) => b[1] - a[1])[0]?.[0];
  const [current, setCurrent] = useState(busiest ?? cells[0]?.day);
  const chosen = cells.some(({ day }) => day === current) ? current : (busiest ?? cells[0]?.day);
  const figure = useRef<HTMLElement>(null);
  const latest = [...values.keys()].toSorted().at(-1);
  // On a narrow screen the year is wider than the page: its latest days are what matters.
  useLayoutEffect(() => {
    const week = cells.find(({ day }) => day === latest)?.week ?? 0;
    const region = figure.current?.querySelector(".scroll-x");
    if (region) region.scrollLeft = LEFT + (week + 2) * CELL - region.clientWidth;
  }, [latest]);
  const onKey = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    const next = cells[cells.findIndex(({ day }) => day === chosen) + step]?.day;
    if (next === undefined) return;
    event.preventDefault();
    setCurrent(next);
    document.querySelector<SVGElement>(`[data-day="${next}"]`)?.focus();
  };
  return (
    <figure ref={figure} class="heatmap">
      <ScrollRegion label={`Days of ${year}`}>
        {/* biome-ignore lint/a11y/useSemanticElements: an SVG has no list elements */}
        <svg
          width={LEFT + WEEKS * CELL + 16}
          height={TOP + 7 * CELL}
          role="group"
          aria-label={`${plural(values.size, "day")} with activity in ${year}`}
          onKeyDown={onKey}
        >
          <g>
            {monthsOf(year).map(({ name, week }) => (
              <text key={name} x={LEFT + week * CELL} y={11}>
                {name}
              </text>
            ))}
            {["Mon", "Wed", "Fri"].map((name, at) => (
              <text key={name} x={0} y={TOP + at * 2 * CELL + 11}>
                {name}
              </text>
            ))}
          </g>
          {cells.map(({ day, week, weekday }) => {
            const value = values.get(day) ?? 0;
            const label = `${LONG_DAY.format(new Date(day))}: ${plural(value, ONE[by])}`;
            return (
              <a
                key={day}
                href={dayHref(day, filter)}
                data-day={day}
                tabindex={day === chosen ? 0 : -1}
                aria-label={label}
                onFocus={() => setCurrent(day)}
              >
                <rect
                  class={`day level-${level(value)}`}
                  x={LEFT + week * CELL}
                  y={TOP + weekday * CELL}
                  width={CELL - 3}
                  height={CELL - 3}
                  rx={2}
                >
                  <title>{label}</title>
                </rect>
              </a>
            );
          })}
        </svg>
      </ScrollRegion>
      <figcaption class="quiet">
        Less
        <svg width={5 * CELL} height={CELL} aria-hidden="true">
          {[0, 1, 2, 3, 4].map((each) => (
            <rect
              key={each}
              class={`day level-${each}`}
              x={each * CELL}
              y={1}
              width={CELL - 3}
              height={CELL - 3}
              rx={2}
            />
          ))}
        </svg>
        More {by}. A day opens its conversations.
      </figcaption>
    </figure>
  );
}

function dayHref(day: string, filter: Readonly<Record<string, string>>): string {
  return `/conversations?${new URLSearchParams({ ...filter, from: day, to: day }).toString()}`;
}

function monthsOf(year: string): { name: string; week: number }[] {
  const cells = weeksOf(year);
  return Array.from({ length: 12 }, (_, month) => {
    const first = `${year}-${String(month + 1).padStart(2, "0")}-01`;
    const cell = cells.find(({ day }) => day === first);
    return { name: MONTH.format(new Date(first)), week: (cell?.week ?? 0) + (cell && cell.weekday > 0 ? 1 : 0) };
  });
}
