/** All conversations as a table, latest first. Filters and the page are in the address. */
import type { OperationInput, OperationOutput } from "../../../operations/by_name.ts";
import { Agent, agentName, longCount, plural, shortCount, Time } from "../../parts/format.tsx";
import { type FocusList, useFocusList } from "../../parts/hooks/focus_list.ts";
import { useCall } from "../../parts/hooks/use_call.ts";
import { conversationHref } from "../../parts/links.ts";
import { chosenPeriod } from "../../parts/period.ts";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { distinctNames, projectName, visible } from "../../parts/text/visible.ts";
import { hrefWith, param, setQuery } from "../../router.ts";
import { FirstSync } from "../../shell/first_sync.tsx";
import sheet from "./conversations.css";

export { sheet };

const PAGE_SIZE = 50;
const MAX_PROJECTS = 100;
type Row = OperationOutput<"index">["sessions"][number];

const SHOWN_TOO = [
  { name: "subagents", text: "with subagents" },
  { name: "abandoned", text: "with abandoned branches" },
] as const;

function pageNumber(): number {
  const page = Number(param("page"));
  return Number.isInteger(page) && page > 1 ? page : 1;
}

function tableInput(): OperationInput<"index"> {
  return {
    limit: PAGE_SIZE,
    offset: (pageNumber() - 1) * PAGE_SIZE,
    subagents: param("subagents") === "yes",
    abandoned: param("abandoned") === "yes",
    ...(param("source") ? { source: param("source") } : {}),
    ...(param("project") ? { project: param("project") } : {}),
    ...chosenPeriod(),
  };
}

export function View() {
  const { data, error, reload } = useCall("index", tableInput());
  const stats = useCall("stats", { by: "project" });
  const rows = data?.sessions ?? [];
  const list = useFocusList("conversations", rows.length, "Conversations");
  const isFiltered = ["source", "project", "from", "to"].some((name) => param(name) !== "");
  return (
    <div class="page conversations">
      <header>
        <h1>Conversations</h1>
        {data && <Count total={data.total} subagents={data.hidden_subagents} abandoned={data.hidden_abandoned} />}
      </header>
      <Filters stats={stats.data} />
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && error === undefined && <Loading lines={10} />}
      {data && rows.length === 0 && <NoRows listed={data} isFiltered={isFiltered} />}
      {rows.length > 0 && <Table rows={rows} list={list} />}
      {data && <Pages total={data.total} />}
    </div>
  );
}

type Listed = Pick<OperationOutput<"index">, "total" | "hidden_subagents" | "hidden_abandoned">;

/** Only without any conversation at all there is something to sync first. */
function NoRows({ listed, isFiltered }: { listed: Listed; isFiltered: boolean }) {
  if (listed.total > 0) {
    return (
      <Empty title="This page has no conversations">
        <a href={hrefWith({ page: undefined })}>The first page</a> has the latest ones.
      </Empty>
    );
  }
  if (isFiltered) return <Empty title="No conversation matches the filters" />;
  if (listed.hidden_subagents + listed.hidden_abandoned === 0) return <FirstSync />;
  return <Empty title="All conversations are of subagents or on abandoned branches" />;
}

/** How many are listed, and how many are not: all of them together are those that dex has. */
function Count({ total, subagents, abandoned }: { total: number; subagents: number; abandoned: number }) {
  const hidden = [
    subagents > 0 && `${longCount(subagents)} of subagents`,
    abandoned > 0 && plural(abandoned, "abandoned branch", "abandoned branches"),
  ].filter(Boolean);
  return (
    <p class="quiet">
      {plural(total, "conversation")}
      {hidden.length > 0 && `, without ${hidden.join(" and ")}`}
    </p>
  );
}

function Filters({ stats }: { stats: OperationOutput<"stats"> | undefined }) {
  const set = (name: string, value: string): void => setQuery({ [name]: value, page: undefined });
  const projects = (stats?.groups ?? []).filter(({ name }) => name !== "").slice(0, MAX_PROJECTS);
  const project = param("project");
  const nameOf = distinctNames(projects.map(({ name }) => name));
  return (
    <search class="filters">
      <label>
        <span>Agent</span>
        <select value={param("source")} onChange={(event) => set("source", event.currentTarget.value)}>
          <option value="">All agents</option>
          {Object.entries(stats?.sources ?? {}).map(([name, count]) => (
            <option key={name} value={name}>
              {agentName(name)} ({longCount(count)})
            </option>
          ))}
        </select>
      </label>
      <label class="filter-project">
        <span>Project</span>
        <select value={project} onChange={(event) => set("project", event.currentTarget.value)}>
          <option value="">All projects</option>
          {project !== "" && !projects.some(({ name }) => name === project) && (
            <option value={project}>{visible(project)}</option>
          )}
          {projects.map(({ name, conversations }) => (
            <option key={name} value={name}>
              {visible(nameOf(name))} ({longCount(conversations)})
            </option>
          ))}
        </select>
      </label>
      <label>
        <span>From</span>
        <input type="date" value={param("from")} onChange={(event) => set("from", event.currentTarget.value)} />
      </label>
      <label>
        <span>To</span>
        <input type="date" value={param("to")} onChange={(event) => set("to", event.currentTarget.value)} />
      </label>
      <div class="filter-checks">
        {SHOWN_TOO.map(({ name, text }) => (
          <label key={name} class="filter-check">
            <input
              type="checkbox"
              checked={param(name) === "yes"}
              onChange={(event) => set(name, event.currentTarget.checked ? "yes" : "")}
            />
            <span>{text}</span>
          </label>
        ))}
      </div>
    </search>
  );
}

function Table({ rows, list }: { rows: readonly Row[]; list: FocusList }) {
  return (
    <table class="conversation-table">
      <thead>
        <tr>
          <th scope="col">Title</th>
          <th scope="col">Agent</th>
          <th scope="col">Project</th>
          <th scope="col" class="number">
            Messages
          </th>
          <th scope="col" class="number">
            Tokens
          </th>
          <th scope="col" class="number">
            Files
          </th>
          <th scope="col" class="number">
            Commits
          </th>
          <th scope="col" class="number">
            Active
          </th>
        </tr>
      </thead>
      <tbody data-list="conversations">
        {rows.map((row, at) => (
          <tr key={`${row.source} ${row.id}`}>
            <td class="cell-title">
              <a
                class="one-line"
                dir="auto"
                href={conversationHref(row.id)}
                title={visible(row.title)}
                {...list.linkProps(at)}
              >
                {visible(row.title) || "Untitled"}
              </a>
            </td>
            <td>
              <Agent source={row.source} />
            </td>
            <td class="one-line cell-project" title={row.project}>
              {visible(projectName(row.project))}
            </td>
            <td class="number">{longCount(row.messages)}</td>
            <td class="number">{shortCount(row.tokens)}</td>
            <td class="number">{row.files || ""}</td>
            <td class="number">{row.commits || ""}</td>
            <td class="number">
              <Time iso={row.date} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Pages({ total }: { total: number }) {
  const page = pageNumber();
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  if (last === 1) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && (
        <a class="button" href={hrefWith({ page: page === 2 ? undefined : String(page - 1) })}>
          Newer
        </a>
      )}
      <span class="quiet">
        Page {page} of {last}
      </span>
      {page < last && (
        <a class="button" href={hrefWith({ page: String(page + 1) })}>
          Older
        </a>
      )}
    </nav>
  );
}
