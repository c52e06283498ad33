/** Facets: how many of the matches each agent, project, month and role has. A facet is a link to the narrower search. */
import type { OperationOutput } from "../../../operations/by_name.ts";
import { Agent, longCount } from "../../parts/format.tsx";
import { projectName, visible } from "../../parts/text/visible.ts";
import { hrefWith, param } from "../../router.ts";
import { FILTERS, type Filter } from "./query.ts";

type Counts = NonNullable<OperationOutput<"search">["facets"]>;

const TITLES: Readonly<Record<Filter, string>> = {
  source: "Agent",
  project: "Project",
  month: "Month",
  role: "Said by",
};
const FIELDS: Readonly<Record<Filter, keyof Counts>> = {
  source: "agents",
  project: "projects",
  month: "months",
  role: "roles",
};
const MAX_VALUES = 8;
const MONTH = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });

export function valueName(filter: Filter, value: string): string {
  if (filter === "project") return visible(projectName(value)) || "no project";
  if (filter === "month") return MONTH.format(new Date(`${value}-01T00:00:00Z`));
  return visible(value);
}

export function Facets({ facets }: { facets: Counts | undefined }) {
  return (
    <aside class="facets" aria-label="Narrow the search">
      {FILTERS.map((filter) => {
        const values = facets?.[FIELDS[filter]] ?? [];
        const chosen = param(filter);
        if (values.length === 0 && !chosen) return null;
        return (
          <section key={filter}>
            <h2>{TITLES[filter]}</h2>
            <ul>
              {chosen && !values.some(({ name }) => name === chosen) && <Value filter={filter} name={chosen} />}
              {values.slice(0, MAX_VALUES).map(({ name, conversations }) => (
                <Value key={name} filter={filter} name={name} count={conversations} />
              ))}
            </ul>
          </section>
        );
      })}
    </aside>
  );
}

function Value({ filter, name, count }: { filter: Filter; name: string; count?: number }) {
  const chosen = param(filter) === name;
  return (
    <li>
      <a
        href={hrefWith({ [filter]: chosen ? undefined : name, n: undefined })}
        aria-current={chosen ? "true" : undefined}
        title={filter === "project" ? name : undefined}
      >
        <span class="one-line">{filter === "source" ? <Agent source={name} /> : valueName(filter, name)}</span>
        <span class="facet-count">{chosen ? "remove" : count === undefined ? "" : longCount(count)}</span>
      </a>
    </li>
  );
}
