/** The relations of some files in a few arrays, which are cheap to pass between threads: objects are not. */
import { type Edge, RELATIONS, RESOLUTIONS, type Unresolved } from "../../../store/code.ts";
import type { FileRelations } from "./file_relations.ts";

export interface PackedRelations {
  /** Of each file: its number, and how many edges, links and needs it has. */
  files: Int32Array<ArrayBuffer>;
  /** Of each edge: both ends, relation, resolution, confidence, line and count. */
  edges: Float64Array<ArrayBuffer>;
  /** The lines of all edges, with semicolons between edges and commas between lines. */
  lines: string;
  /** Of each link: the other file, and the weight. */
  links: Float64Array<ArrayBuffer>;
  needs: Uint32Array<ArrayBuffer>;
  unresolved: Unresolved[];
  marks: string[];
}

const EDGE_NUMBERS = 7;
const FILE_NUMBERS = 4;

export function packRelations(found: readonly FileRelations[]): PackedRelations {
  const count = (of: (file: FileRelations) => number): number => found.reduce((sum, file) => sum + of(file), 0);
  const files = new Int32Array(found.length * FILE_NUMBERS);
  const edges = new Float64Array(count((file) => file.edges.length) * EDGE_NUMBERS);
  const links = new Float64Array(count((file) => file.links.size) * 2);
  const needs = new Uint32Array(count((file) => file.needs.length));
  const lines: string[] = [];
  let [edgeAt, linkAt, needAt] = [0, 0, 0];
  for (const [at, file] of found.entries()) {
    files.set([file.no, file.edges.length, file.links.size, file.needs.length], at * FILE_NUMBERS);
    for (const edge of file.edges) {
      edges[edgeAt] = edge.from;
      edges[edgeAt + 1] = edge.to;
      edges[edgeAt + 2] = RELATIONS.indexOf(edge.relation);
      edges[edgeAt + 3] = RESOLUTIONS.indexOf(edge.resolution);
      edges[edgeAt + 4] = edge.confidence;
      edges[edgeAt + 5] = edge.line;
      edges[edgeAt + 6] = edge.count;
      lines.push(edge.lines?.join(",") ?? "");
      edgeAt += EDGE_NUMBERS;
    }
    for (const [other, weight] of file.links) {
      links[linkAt] = other;
      links[linkAt + 1] = weight;
      linkAt += 2;
    }
    needs.set(file.needs, needAt);
    needAt += file.needs.length;
  }
  return {
    files,
    edges,
    lines: lines.join(";"),
    links,
    needs,
    unresolved: found.map(({ unresolved }) => unresolved),
    marks: found.map(({ mark }) => mark),
  };
}

export function unpackRelations(packed: PackedRelations): FileRelations[] {
  const { files, needs, unresolved, marks } = packed;
  const lines = packed.lines.split(";");
  let [edgeAt, linkAt, needAt] = [0, 0, 0];
  return marks.map((mark, at) => {
    const [no = -1, edgeCount = 0, linkCount = 0, needCount = 0] = files.subarray(at * FILE_NUMBERS);
    const edges: Edge[] = [];
    for (const end = edgeAt + edgeCount; edgeAt < end; edgeAt += 1) edges.push(edgeOf(packed, edgeAt, lines[edgeAt]));
    const links = new Map<number, number>();
    for (const end = linkAt + linkCount; linkAt < end; linkAt += 1)
      links.set(packed.links[linkAt * 2] as number, packed.links[linkAt * 2 + 1] as number);
    needAt += needCount;
    return {
      no,
      edges,
      links,
      unresolved: unresolved[at] as Unresolved,
      needs: needs.subarray(needAt - needCount, needAt),
      mark,
    };
  });
}

function edgeOf({ edges }: PackedRelations, no: number, lines: string | undefined): Edge {
  const at = no * EDGE_NUMBERS;
  return {
    from: edges[at] as number,
    to: edges[at + 1] as number,
    relation: RELATIONS[edges[at + 2] as number] as Edge["relation"],
    resolution: RESOLUTIONS[edges[at + 3] as number] as Edge["resolution"],
    confidence: edges[at + 4] as number,
    line: edges[at + 5] as number,
    count: edges[at + 6] as number,
    ...(lines && { lines: lines.split(",").map(Number) }),
  };
}
