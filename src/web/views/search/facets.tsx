/** Facets: how many of the matches each agent, project, month and role has. A facet is a link to the narrower search. */
import { useState } from "preact/hooks";
import type { OperationOutput } from "../../../operations/by_name.ts";
import { Agent, longCount } from "../../parts/format.tsx";
import { distinctNames, projectName, visible } from "../../parts/text/visible.ts";
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
        return (values.length > 0 || param(filter)) && <Facet key={filter} filter={filter} values={values} />;
      })}
    </aside>
  );
}

function Facet({ filter, values }: { filter: Filter; values: Counts[keyof Counts] }) {
  const [all, setAll] = useState(false);
  const chosen = param(filter);
  const names = distinctNames(filter === "project" ? values.map(({ name }) => name) : []);
  const text = (name: string): string => (filter === "project" ? visible(names(name)) : "") || valueName(filter, name);
  const shown = all ? values : values.slice(0, MAX_VALUES);
  return (
    <section>
      <h2>{TITLES[filter]}</h2>
      <ul>
        {chosen && !shown.some(({ name }) => name === chosen) && (
          <Value filter={filter} name={chosen} text={text(chosen)} />
        )}
        {shown.map(({ name, conversations }) => (
          <Value key={name} filter={filter} name={name} text={text(name)} count={conversations} />
        ))}
      </ul>
      {values.length > shown.length && (
        <button type="button" class="plain more" onClick={() => setAll(true)}>
          {longCount(values.length - shown.length)} more
        </button>
      )}
    </section>
  );
}

function Value({ filter, name, text, count }: { filter: Filter; name: string; text: string; count?: number }) {
  const chosen = param(filter) === name;
  return (
    <li>
      <a
        href={hrefWith({ [filter]: chosen ? undefined : name, n: undefined })}
        aria-current={chosen ? "true" : undefined}
        title={filter === "project" ? name : undefined}
      >
        <span class="one-line">{filter === "source" ? <Agent source={name} /> : text}</span>
        <span class="facet-count">{chosen ? "remove" : count === undefined ? "" : longCount(count)}</span>
      </a>
    </li>
  );
}
