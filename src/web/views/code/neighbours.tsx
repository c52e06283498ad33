/** What a file uses and what uses it: at most 60 neighbours as a drawing, and the same as a list of links. */
import { useEffect, useState } from "preact/hooks";
import type { OperationOutput } from "../../../operations/by_name.ts";
import { plural } from "../../parts/format.tsx";
import { codeHref } from "../../parts/links.ts";
import { useProject } from "../../parts/project.tsx";
import { ScrollRegion } from "../../parts/scroll_region.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { visible } from "../../parts/text.ts";
import { useCall } from "../../parts/use_call.ts";
import type { Placed } from "./layout.ts";

type Graph = OperationOutput<"code graph">;

const MAX_NODES = 60;
const WIDTH = 900;
const HEIGHT = 560;

export function Neighbours({ path }: { path: string }) {
  const { repository } = useProject();
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

function Drawing({ graph, repository }: GraphProps) {
  const [placed, setPlaced] = useState<readonly Placed[]>([]);
  useEffect(() => {
    let gone = false;
    void import("./layout.ts").then(({ layout }) => {
      if (!gone)
        setPlaced(
          layout(
            graph.nodes.map(({ id }) => id),
            graph.edges,
            graph.focus,
            { width: WIDTH, height: HEIGHT },
          ),
        );
    });
    return () => {
      gone = true;
    };
  }, [graph]);
  const at = new Map(placed.map((each) => [each.id, each]));
  return (
    <ScrollRegion label="Drawing of the neighbours">
      <svg class="graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        {graph.edges.map(({ from, to, relation }) => {
          const [a, b] = [at.get(from), at.get(to)];
          return a && b && <line key={`${from} ${to} ${relation}`} class="edge" x1={a.x} y1={a.y} x2={b.x} y2={b.y} />;
        })}
        {graph.nodes.map(({ id, name, path, first_line, test }) => {
          const spot = at.get(id);
          if (!spot) return null;
          const isLeft = spot.x > WIDTH * 0.75;
          return (
            <a key={id} href={codeHref(path, first_line, repository)} tabIndex={-1}>
              <circle
                class={`node ${graph.focus.includes(id) ? "node-focus" : test ? "node-test" : ""}`}
                cx={spot.x}
                cy={spot.y}
                r={graph.focus.includes(id) ? 8 : 5}
              >
                <title>{`${name} (${path})`}</title>
              </circle>
              <text x={spot.x + (isLeft ? -9 : 9)} y={spot.y + 4} text-anchor={isLeft ? "end" : "start"}>
                {visible(shortName(name))}
              </text>
            </a>
          );
        })}
      </svg>
    </ScrollRegion>
  );
}

const MAX_NAME_CHARS = 26;

function shortName(name: string): string {
  const last = name.split("/").at(-1) ?? name;
  return last.length <= MAX_NAME_CHARS ? last : `${last.slice(0, MAX_NAME_CHARS - 1)}…`;
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
                <a class="place" href={codeHref(other.path, other.first_line, repository)}>
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
