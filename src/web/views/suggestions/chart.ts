/** Draws the curve with uPlot, in the colours of the page. */
import uPlot from "uplot";

export interface CurvePoint {
  mean_score: number;
  used_share: number;
}

/** Returns the function that removes the chart. */
export function drawCurve(element: HTMLElement, points: readonly CurvePoint[], size: number): () => void {
  const style = getComputedStyle(element);
  const colour = (name: string): string => resolved(element, style.getPropertyValue(name));
  const sorted = points.toSorted((a, b) => a.mean_score - b.mean_score);
  // The diagonal is a series of its own, so its ends are points of the x axis, too.
  const xs = [0, ...sorted.map(({ mean_score }) => mean_score * 100), 100];
  const shares = [null, ...sorted.map(({ used_share }) => used_share * 100), null];
  const axis = {
    stroke: colour("--ink-2"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: `11px ${style.fontFamily}`,
    values: (_: unknown, values: number[]) => values.map((value) => `${value} %`),
  };
  const chart = new uPlot(
    {
      width: size,
      height: size,
      scales: { x: { time: false, range: [0, 100] }, y: { range: [0, 100] } },
      axes: [axis, { ...axis, size: 52 }],
      legend: { show: false },
      cursor: { show: false },
      series: [
        {},
        { stroke: colour("--ink-3"), width: 1, dash: [4, 4], points: { show: false } },
        {
          stroke: colour("--accent"),
          width: 2,
          points: { show: true, size: 7, fill: colour("--accent") },
          spanGaps: true,
        },
      ],
    },
    [xs, xs, shares],
    element,
  );
  return () => chart.destroy();
}

/** A canvas does not know `light-dark()`: the browser computes the colour for an element first. */
function resolved(element: HTMLElement, value: string): string {
  const probe = document.createElement("span");
  probe.style.color = value;
  element.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
