/** Tokens and money of a year, by month. A month opens its conversations. */
import { lastDay } from "../../parts/counts.ts";
import { useCall } from "../../parts/hooks/use_call.ts";
import { Loading, Problem } from "../../parts/states.tsx";
import { type Amount, costText, leftOutNotes, tokensText } from "./amount.ts";

const MONTH = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });

export function Usage({ year, filter }: { year: string; filter: Readonly<Record<string, string>> }) {
  const input = { by: "month", since: `${year}-01-01`, until: `${year}-12-31`, ...filter } as const;
  const { data, error, loading, reload } = useCall("usage", input);
  return (
    <section class="usage" aria-labelledby="usage-title">
      <h2 id="usage-title">Usage</h2>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && loading && <Loading lines={4} />}
      {data && data.rows.length === 0 && <p class="quiet">No agent recorded tokens in {year}.</p>}
      {data && data.rows.length > 0 && (
        <>
          <table class="table" aria-labelledby="usage-title">
            <thead>
              <tr>
                <th scope="col">Month</th>
                <th scope="col" class="number">
                  Tokens
                </th>
                <th scope="col" class="number">
                  Cost
                </th>
              </tr>
            </thead>
            <tbody>
              {data.rows.toReversed().map((row) => (
                <tr key={row.name}>
                  <th scope="row">
                    <a href={monthHref(row.name, filter)}>{MONTH.format(new Date(`${row.name}-01`))}</a>
                  </th>
                  <Cells amount={row} />
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">All of {year}</th>
                <Cells amount={data.total} />
              </tr>
            </tfoot>
          </table>
          {leftOutNotes(data.total).map((note) => (
            <p key={note} class="quiet">
              {note}
            </p>
          ))}
          <p class="quiet">
            API list prices of {data.prices_of}; a subscription has its own price. Days of {data.timezone}.
          </p>
        </>
      )}
    </section>
  );
}

function Cells({ amount }: { amount: Amount }) {
  const { shown, spoken } = tokensText(amount);
  return (
    <>
      <td class="number">
        {shown === spoken ? (
          shown
        ) : (
          <>
            <span aria-hidden="true">{shown}</span>
            <span class="visually-hidden">{spoken}</span>
          </>
        )}
      </td>
      <td class="number">{costText(amount)}</td>
    </>
  );
}

function monthHref(month: string, filter: Readonly<Record<string, string>>): string {
  return `/conversations?${new URLSearchParams({ ...filter, from: `${month}-01`, to: lastDay(month) }).toString()}`;
}
