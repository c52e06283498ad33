/**
 * The axis with its brush: one lane per kind of event, dragged across to choose days. Two sliders do the same by
 * keyboard.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { dayOf } from "../../parts/format.tsx";
import { KINDS, type Kind } from "./kinds.ts";
import { dayAt, daysBetween, scaleOf, ticksOf } from "./scale.ts";

const LANE = 26;
const FOOT = 22;
const HEIGHT = KINDS.length * LANE + FOOT;
/** A shorter drag is a click. */
const MIN_DRAG_PX = 4;

export interface AxisProps {
  events: readonly { kind: Kind; time: string; source?: string | undefined }[];
  /** Days. */
  from: string;
  to: string;
  choose(from: string, to: string): void;
}

export function Axis({ events, from, to, choose }: AxisProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  const [drag, setDrag] = useState<{ start: number; end: number }>();
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(200, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const scale = scaleOf(events, width);
  const total = daysBetween(scale.first, scale.last);
  const x = (event: PointerEvent): number => {
    const left = box.current?.getBoundingClientRect().left ?? 0;
    return Math.max(0, Math.min(width, event.clientX - left));
  };
  const finish = (): void => {
    if (!drag) return;
    setDrag(undefined);
    const [start, end] = [Math.min(drag.start, drag.end), Math.max(drag.start, drag.end)];
    if (end - start >= MIN_DRAG_PX) choose(scale.dayOfX(start), scale.dayOfX(end));
  };
  const left = drag ? Math.min(drag.start, drag.end) : scale.x(from);
  const right = drag ? Math.max(drag.start, drag.end) : scale.x(dayAt(to, 1));
  return (
    <div class="axis">
      <div ref={box} class="axis-box">
        <svg
          width={width}
          height={HEIGHT}
          aria-hidden="true"
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            setDrag({ start: x(event), end: x(event) });
          }}
          onPointerMove={(event) => drag && setDrag({ ...drag, end: x(event) })}
          onPointerUp={finish}
          onPointerCancel={() => setDrag(undefined)}
        >
          <rect class="axis-brush" x={left} y={0} width={Math.max(2, right - left)} height={HEIGHT - FOOT} rx={3} />
          {ticksOf(scale, width).map(({ at, label }) => (
            <g key={at}>
              <line class="axis-tick" x1={at} x2={at} y1={0} y2={HEIGHT - FOOT} />
              <text x={at + 3} y={HEIGHT - 6}>
                {label}
              </text>
            </g>
          ))}
          {KINDS.map(({ kind }, lane) => (
            <Lane
              key={kind}
              kind={kind}
              y={lane * LANE}
              times={events.filter((event) => event.kind === kind)}
              x={scale.x}
            />
          ))}
          <line class="axis-edge" x1={left} x2={left} y1={0} y2={HEIGHT - FOOT} />
          <line class="axis-edge" x1={right} x2={right} y1={0} y2={HEIGHT - FOOT} />
        </svg>
      </div>
      <div class="axis-sliders">
        <label>
          <span class="quiet">From {dayOf(from)}</span>
          <input
            type="range"
            aria-label="First day"
            aria-valuetext={dayOf(from)}
            min={0}
            max={total}
            value={daysBetween(scale.first, from)}
            onChange={(event) => {
              const day = dayAt(scale.first, Number(event.currentTarget.value));
              choose(day, to < day ? day : to);
            }}
          />
        </label>
        <label>
          <span class="quiet">To {dayOf(to)}</span>
          <input
            type="range"
            aria-label="Last day"
            aria-valuetext={dayOf(to)}
            min={0}
            max={total}
            value={daysBetween(scale.first, to)}
            onChange={(event) => {
              const day = dayAt(scale.first, Number(event.currentTarget.value));
              choose(from > day ? day : from, day);
            }}
          />
        </label>
      </div>
    </div>
  );
}

interface LaneProps {
  kind: Kind;
  y: number;
  times: readonly { time: string; source?: string | undefined }[];
  x(time: string): number;
}

/** One mark per pixel, taller where more happened: thousands of commits stay a few hundred elements. */
function Lane({ kind, y, times, x }: LaneProps) {
  const counts = new Map<number, number>();
  for (const { time } of times) {
    const at = Math.round(x(time) / 2) * 2;
    counts.set(at, (counts.get(at) ?? 0) + 1);
  }
  const most = Math.max(1, ...counts.values());
  return (
    <g>
      {[...counts].map(([at, count]) => {
        const height = 6 + Math.round((LANE - 10) * Math.sqrt(count / most));
        return (
          <rect key={at} class={`kind-${kind}`} x={at - 1} y={y + LANE - 2 - height} width={2} height={height} rx={1} />
        );
      })}
    </g>
  );
}
