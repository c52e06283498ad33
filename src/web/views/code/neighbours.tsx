/** The neighbours of a file, at most 60: those that use it and those it uses, as a drawing and as a list of links. */
import type { OperationOutput } from "../../../operations/by_name.ts";
import { plural } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { codeHref } from "../../parts/links.ts";
import { useProject } from "../../parts/project.tsx";
import { ScrollRegion } from "../../parts/scroll_region.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { distinctNames, visible } from "../../parts/text/visible.ts";

type Graph = OperationOutput<"code graph">;
type Node = Graph["nodes"][number];

const MAX_NODES = 60;
const WIDTH = 900;
/** Room for the names beside the points. */
const SIDE = 250;
const ROW = 20;
const MARGIN = 36;

export function Neighbours({ path }: { path: string }) {
  const { project: repository } = useProject();
  const project = repository === undefined ? {} : { project: repository };
  const { data, error, loading, reload } = useCall("code graph", { target: path, ...project, limit: MAX_NODES });
  if (error !== undefined) return <Problem error={error} retry={reload} />;
  if (!data) return loading ? <Loading lines={8} /> : null;
  if (data.nodes.length < 2) return <Empty title="No neighbours are known" />;
  return (
    <>
      <Drawing graph={data} repository={repository} />
      <p class="quiet">
        {plural(data.nodes.length - 1, "neighbour")}
        {data.left_out > 0 && `, ${plural(data.left_out, "other")} left out`}
      </p>
      <NeighbourList graph={data} repository={repository} />
    </>
  );
}

interface GraphProps {
  graph: Graph;
  repository: string | undefined;
}

/** Users on the left, used ones on the right: as a cloud of points, sixty names would cover each other. */
function Drawing({ graph, repository }: GraphProps) {
  const users = sideOf(graph, "from");
  const used = sideOf(graph, "to").filter(({ id }) => !users.some((user) => user.id === id));
  const rows = Math.max(users.length, used.length, 1);
  const height = rows * ROW + 2 * MARGIN;
  const fileName = distinctNames([...users, ...used].map(({ path }) => path));
  const nameOf = ({ kind, name, path }: Node): string => (kind === "file" ? fileName(path) : name);
  const middle = height / 2;
  const focus = graph.nodes.find(({ id }) => graph.focus.includes(id));
  const y = (at: number, count: number): number => middle + (at - (count - 1) / 2) * ROW;
  return (
    <ScrollRegion label="Drawing of the neighbours">
      <svg class="graph" viewBox={`0 0 ${WIDTH} ${height}`} aria-hidden="true">
        {users.map(({ id }, at) => (
          <path key={id} class="edge" d={curve(SIDE, y(at, users.length), WIDTH / 2 - 8, middle)} />
        ))}
        {used.map(({ id }, at) => (
          <path key={id} class="edge" d={curve(WIDTH / 2 + 8, middle, WIDTH - SIDE, y(at, used.length))} />
        ))}
        {users.length > 0 && (
          <text class="graph-side" x={SIDE} y={MARGIN / 2} text-anchor="end">
            use it
          </text>
        )}
        {used.length > 0 && (
          <text class="graph-side" x={WIDTH - SIDE} y={MARGIN / 2}>
            it uses
          </text>
        )}
        <circle class="node node-focus" cx={WIDTH / 2} cy={middle} r={8} />
        <text class="graph-focus" x={WIDTH / 2} y={middle - 14} text-anchor="middle">
          {visible(shortEnd(focus?.name.split("/").at(-1) ?? ""))}
        </text>
        {users.map((node, at) => (
          <Spot
            key={node.id}
            node={node}
            name={nameOf(node)}
            x={SIDE}
            y={y(at, users.length)}
            side="left"
            repository={repository}
          />
        ))}
        {used.map((node, at) => (
          <Spot
            key={node.id}
            node={node}
            name={nameOf(node)}
            x={WIDTH - SIDE}
            y={y(at, used.length)}
            side="right"
            repository={repository}
          />
        ))}
      </svg>
    </ScrollRegion>
  );
}

/** The neighbours whose edges have the focus at the other end, the most connected first. */
function sideOf(graph: Graph, end: "from" | "to"): Node[] {
  const other = end === "from" ? "to" : "from";
  const counts = new Map<string, number>();
  for (const edge of graph.edges) {
    if (!graph.focus.includes(edge[other]) || graph.focus.includes(edge[end])) continue;
    counts.set(edge[end], (counts.get(edge[end]) ?? 0) + edge.count);
  }
  return graph.nodes
    .filter(({ id }) => counts.has(id))
    .toSorted((a, b) => (counts.get(b.id) ?? 0) - (counts.get(a.id) ?? 0) || (a.path < b.path ? -1 : 1));
}

function curve(x1: number, y1: number, x2: number, y2: number): string {
  const bend = (x1 + x2) / 2;
  return `M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`;
}

interface SpotProps {
  node: Node;
  name: string;
  x: number;
  y: number;
  side: "left" | "right";
  repository: string | undefined;
}

function Spot({ node, name, x, y, side, repository }: SpotProps) {
  const { path, first_line, test } = node;
  const isLeft = side === "left";
  return (
    <a href={codeHref(path, { line: first_line, project: repository })} tabindex={-1}>
      <circle class={`node ${test ? "node-test" : ""}`} cx={x} cy={y} r={4}>
        <title>{`${node.name} (${path})`}</title>
      </circle>
      <text x={x + (isLeft ? -9 : 9)} y={y + 4} text-anchor={isLeft ? "end" : "start"}>
        {visible(shortEnd(name))}
        <title>{`${node.name} (${path})`}</title>
      </text>
    </a>
  );
}

const MAX_NAME_CHARS = 34;

/** The end of a name tells most. */
function shortEnd(name: string): string {
  return name.length <= MAX_NAME_CHARS ? name : `…${name.slice(1 - MAX_NAME_CHARS)}`;
}

/** By relation and direction: "imports", "imported by". */
function NeighbourList({ graph, repository }: GraphProps) {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const rows = graph.edges.flatMap(({ from, to, relation, count }) => {
    const isOut = graph.focus.includes(from);
    const other = nodes.get(isOut ? to : from);
    if (!other || (!isOut && !graph.focus.includes(to))) return [];
    return [{ title: titleOf(relation, isOut), other, count }];
  });
  return (
    <div class="neighbour-lists">
      {[...Map.groupBy(rows, ({ title }) => title)].map(([title, own]) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {own.map(({ other, count }) => (
              <li key={other.id}>
                <a class="place" href={codeHref(other.path, { line: other.first_line, project: repository })}>
                  {visible(other.kind === "file" ? other.path : `${other.name} (${other.path})`)}
                </a>
                {count > 1 && <span class="quiet"> {plural(count, "time")}</span>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

const RELATIONS: Readonly<Record<string, readonly [out: string, back: string]>> = {
  DEPENDS: ["Depends on", "Used by"],
  CALLS: ["Calls", "Called by"],
  IMPORTS: ["Imports", "Imported by"],
  TESTS: ["Tests", "Tested by"],
  CONTAINS: ["Contains", "Part of"],
  EXTENDS: ["Extends", "Extended by"],
  IMPLEMENTS: ["Implements", "Implemented by"],
};

function titleOf(relation: string, isOut: boolean): string {
  const name = relation.toLowerCase().replaceAll("_", " ");
  const [out, back] = RELATIONS[relation] ?? [name, `${name} (from there)`];
  return isOut ? out : back;
}
