/** Places the neighbours of a file around it. The same graph always gets the same places. */
import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from "d3-force";

const TICKS = 160;
const MARGIN = 24;

export interface Placed {
  id: string;
  x: number;
  y: number;
}

interface Body extends SimulationNodeDatum {
  id: string;
}

export interface Edge {
  from: string;
  to: string;
}

export function layout(
  ids: readonly string[],
  edges: readonly Edge[],
  focus: readonly string[],
  { width, height }: { width: number; height: number },
): Placed[] {
  const bodies = ids.map(
    (id): Body => (focus.length === 1 && focus.includes(id) ? { id, fx: width / 2, fy: height / 2 } : { id }),
  );
  const known = new Set(ids);
  const links = edges
    .filter(({ from, to }) => known.has(from) && known.has(to))
    .map(({ from, to }) => ({ source: from, target: to }));
  forceSimulation(bodies)
    .force(
      "link",
      forceLink<Body, { source: string; target: string }>(links)
        .id(({ id }) => id)
        .distance(110)
        .strength(0.3),
    )
    .force("push", forceManyBody().strength(-260))
    .force("room", forceCollide(22))
    .force("x", forceX(width / 2).strength(0.05))
    .force("y", forceY(height / 2).strength(0.11))
    .stop()
    .tick(TICKS);
  return bodies.map(({ id, x = 0, y = 0 }) => ({
    id,
    x: Math.round(Math.max(MARGIN, Math.min(width - MARGIN, x))),
    y: Math.round(Math.max(MARGIN, Math.min(height - MARGIN, y))),
  }));
}
