/**
 * The calibration curve: of the items that were given a chance of 30 %, did 30 % help? The chart is drawn on a canvas,
 * so a table beside it has the same figures.
 */
import { useEffect, useRef } from "preact/hooks";
import type { OperationOutput } from "../../../operations/by_name.ts";
import { longCount } from "../../parts/format.tsx";
import { percent } from "../../parts/sizes.ts";
import { theme } from "../../shell/theme.ts";

type Bin = OperationOutput<"suggest stats">["relevance_score_vs_usage"][number];

const SIZE = 280;

export function Calibration({ bins }: { bins: readonly Bin[] }) {
  const box = useRef<HTMLDivElement>(null);
  const chosen = theme.value;
  const key = JSON.stringify(bins);
  useEffect(() => {
    const element = box.current;
    if (!element || bins.length === 0) return;
    let destroy: (() => void) | undefined;
    let gone = false;
    // The chart is loaded only where there is one to draw.
    void import("./chart.ts").then(({ drawCurve }) => {
      if (!gone) destroy = drawCurve(element, bins, Math.min(SIZE, element.clientWidth));
    });
    return () => {
      gone = true;
      destroy?.();
    };
  }, [key, chosen]);
  if (bins.length === 0) return <p class="quiet">No verdicts yet, so nothing can be said about the chances.</p>;
  return (
    <figure class="calibration">
      <figcaption>
        <h2>Were the chances right?</h2>
        <p class="quiet">On the dashed line, as many items helped as dex expected.</p>
      </figcaption>
      <div class="calibration-columns">
        <div ref={box} class="chart" aria-hidden="true" />
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Expected</th>
              <th scope="col" class="number">
                Helped
              </th>
              <th scope="col" class="number">
                Items
              </th>
            </tr>
          </thead>
          <tbody>
            {bins.map(({ from, mean_score, used_share, count }) => (
              <tr key={from}>
                <th scope="row">{percent(mean_score)}</th>
                <td class="number">{percent(used_share)}</td>
                <td class="number">{longCount(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
