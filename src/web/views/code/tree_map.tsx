/**
 * Files as areas. A folder's name narrows the map to it, a file opens. The list below the map has the same links for the
 * keyboard, so the map itself takes no focus.
 */
import { hierarchy, treemap, treemapSquarify } from "d3-hierarchy";
import { useEffect, useRef, useState } from "preact/hooks";
import { plural } from "../../parts/format.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith } from "../../router.ts";
import { type MapFile, type MapNode, treeOf } from "./tree.ts";

const HEADER = 16;
/** Smaller areas have no label, and the smallest are not drawn at all. */
const MIN_LABEL_WIDTH = 46;
const MIN_LABEL_HEIGHT = 14;
const MIN_AREA_PX = 3;
const CHAR_PX = 6.1;

export interface TreeMapProps {
  files: readonly MapFile[];
  folder: string;
  /** The unit of the value: "line". */
  unit: string;
  fileHref(path: string): string;
}

export function TreeMap({ files, folder, unit, fileHref }: TreeMapProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(900);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.max(240, element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const height = Math.max(280, Math.min(620, Math.round(width * 0.52)));
  const root = hierarchy<MapNode>(treeOf(files, folder), ({ children }) => children)
    .sum(({ value = 0 }) => Math.max(0, value))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const laid = treemap<MapNode>()
    .tile(treemapSquarify)
    .size([width, height])
    .paddingInner(2)
    .paddingTop((node) => (node.depth === 0 ? 0 : HEADER))
    .round(true)(root);
  const nodes = laid.descendants().filter(({ x0, x1, y0, y1, depth }) => {
    return depth > 0 && x1 - x0 >= MIN_AREA_PX && y1 - y0 >= MIN_AREA_PX;
  });
  return (
    <div ref={box} class="tree-map">
      <svg width={width} height={height} aria-hidden="true">
        {nodes.map((node) => {
          const { path, name, children, test } = node.data;
          const size = { width: node.x1 - node.x0, height: node.y1 - node.y0 };
          const target = children ? hrefWith({ in: path }) : fileHref(path);
          return (
            <a key={path} href={target} tabindex={-1}>
              <rect
                class={children ? "map-folder" : `map-file ${test ? "map-test" : ""}`}
                x={node.x0}
                y={node.y0}
                {...size}
                rx={2}
              >
                <title>{`${path}: ${plural(node.value ?? 0, unit)}`}</title>
              </rect>
              {size.width >= MIN_LABEL_WIDTH && size.height >= MIN_LABEL_HEIGHT && (
                <text class={children ? "map-folder-name" : "map-file-name"} x={node.x0 + 4} y={node.y0 + 12}>
                  {fitted(visible(name), size.width - 8)}
                </text>
              )}
            </a>
          );
        })}
      </svg>
      {files.some(({ test }) => test) && (
        <p class="map-key quiet">
          <span class="map-swatch" /> code <span class="map-swatch map-swatch-test" /> tests
        </p>
      )}
    </div>
  );
}

function fitted(name: string, width: number): string {
  const chars = Math.floor(width / CHAR_PX);
  return name.length <= chars ? name : `${name.slice(0, Math.max(0, chars - 1))}…`;
}
