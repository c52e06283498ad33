/**
 * Search as you type: every key starts a search and ends the running one. Searches of a query that is still being typed
 * leave no trace; Enter, opening a result or a short rest does.
 */
import { type Signal, useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { OperationInput, OperationOutput } from "../../../operations/by_name.ts";
import { ApiError, call } from "../../api.ts";
import { longCount, plural } from "../../parts/format.tsx";
import { useFocusList } from "../../parts/hooks/focus_list.ts";
import { useCall } from "../../parts/hooks/use_call.ts";
import { PeriodChip } from "../../parts/period_chip.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith, param, place, setQuery } from "../../router.ts";
import { FirstSync } from "../../shell/first_sync.tsx";
import { useKeys } from "../../shell/keys.ts";
import { Facets } from "./facets.tsx";
import { Home } from "./home.tsx";
import { Pasted } from "./pasted.tsx";
import { FILTERS, KINDS, type Kind, kindOfSearch, MAX_SHOWN, PAGE_SIZE, searchInput, shownCount } from "./query.ts";
import { ResultRow } from "./result_row.tsx";
import sheet from "./search.css";
import { Why } from "./why.tsx";

export { sheet };

/** A browser refuses more than about 20 changes of the address per second. */
const ADDRESS_REST_MS = 200;
const TRACE_REST_MS = 800;

let traced = "";

/** Tells the server that this search was meant, once. */
function settle(input: OperationInput<"search"> | undefined): void {
  const key = JSON.stringify(input);
  if (!input || key === traced) return;
  traced = key;
  call("search", { ...input, facets: false }).catch(() => undefined);
}

/** The query of the address as this view last saw or wrote it; any other came from a link or from "back". */
let knownQuery = "";

function putInAddress(query: string): void {
  if (query === param("q")) return;
  knownQuery = query;
  setQuery({ q: query, n: undefined, why: undefined }, { replace: true });
}

export function View() {
  const asked = param("q");
  const typed = useSignal(asked);
  const field = useRef<HTMLInputElement>(null);
  // An address that this view wrote itself may be older than what has been typed since, so it never sets the field.
  // The path is checked because the address is for a moment that of the view that follows.
  if (knownQuery !== asked && place.value.path === "/") {
    knownQuery = asked;
    typed.value = asked;
  }
  const query = typed.value;
  const input = searchInput(query);
  const key = JSON.stringify(input);
  useEffect(() => {
    const timer = setTimeout(() => putInAddress(typed.peek()), ADDRESS_REST_MS);
    return () => clearTimeout(timer);
  }, [query]);
  useEffect(() => {
    const timer = setTimeout(() => settle(input), TRACE_REST_MS);
    return () => clearTimeout(timer);
  }, [key]);
  useEffect(() => {
    if (asked === "") field.current?.focus();
  }, []);
  useKeys("Search", [{ keys: "Escape", does: "Clear the field", whileTyping: true, run: () => clear() }]);
  const clear = (): void => {
    typed.value = "";
    field.current?.focus();
  };
  return (
    <div class="page search">
      <h1 class="visually-hidden">Search</h1>
      <search>
        <input
          ref={field}
          type="search"
          data-search
          class="search-field"
          aria-label="Search conversations, documents and code"
          placeholder="What was said, done, written"
          autocomplete="off"
          spellcheck={false}
          value={query}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== "ArrowDown") return;
            event.preventDefault();
            putInAddress(query);
            settle(input);
            document.querySelector<HTMLElement>("[data-list] [data-row][tabindex='0']")?.focus();
          }}
        />
        <Kinds typed={typed} />
        <div class="search-period">
          <PeriodChip />
        </div>
      </search>
      <Pasted query={query} />
      {input ? <Results input={input} /> : <Home />}
    </div>
  );
}

function Kinds({ typed }: { typed: Signal<string> }) {
  const current = kindOfSearch();
  if (typed.value.trim() === "") return null;
  return (
    <nav class="kinds" aria-label="Where to search">
      {(Object.entries(KINDS) as [Kind, string][]).map(([kind, name]) => (
        <a
          key={kind}
          href={hrefWith({ q: typed.value, in: kind === "all" ? undefined : kind, n: undefined })}
          aria-current={kind === current ? "true" : undefined}
        >
          {name}
        </a>
      ))}
    </nav>
  );
}

function Results({ input }: { input: OperationInput<"search"> }) {
  const { data, error, loading } = useCall("search", input, { draft: true });
  const results = data?.results ?? [];
  const list = useFocusList("results", results.length, "Results");
  const why = param("why");
  const toggleWhy = (id: string): void => setQuery({ why: why === id ? undefined : id }, { replace: true });
  useKeys("Result", [
    {
      keys: "w",
      does: "Why this result",
      run: () => results[list.current] && toggleWhy(results[list.current]?.id ?? ""),
    },
  ]);
  if (error instanceof ApiError && error.code === "empty_query") return <NoWord />;
  if (error !== undefined) return <Problem error={error} />;
  if (!data) return <Loading />;
  return (
    <div class={`results ${loading ? "results-old" : ""}`} aria-busy={loading}>
      <div>
        <p class="result-count" role="status">
          {countLine({ ...data, words: data.words ?? wordsOf(input.query) }, results.length)}
        </p>
        {data.note && <p class="quiet">{visible(data.note)}</p>}
        <DidYouMean words={data.did_you_mean ?? []} />
        {results.length === 0 && <Nothing />}
        <ol data-list="results">
          {results.map((result, at) => (
            <li key={`${result.kind} ${result.id} ${result.message_index}`} class="result">
              <ResultRow
                result={result}
                at={at}
                words={data.words ?? wordsOf(input.query)}
                list={list}
                why={why === result.id}
                toggleWhy={() => toggleWhy(result.id)}
                opened={() => {
                  putInAddress(input.query);
                  settle(input);
                }}
              />
              {why === result.id && <Why input={input} id={result.id} />}
            </li>
          ))}
        </ol>
        {results.length >= shownCount() && <More shown={results.length} />}
      </div>
      <Facets facets={data.facets} />
    </div>
  );
}

function More({ shown }: { shown: number }) {
  if (shown >= MAX_SHOWN)
    return <p class="quiet">The page shows the first {shown}. More words or a filter narrow them.</p>;
  return (
    <a class="button" href={hrefWith({ n: String(shown + PAGE_SIZE) })}>
      More results
    </a>
  );
}

function Nothing() {
  const stats = useCall("stats", {});
  if (stats.data?.total_conversations === 0) return <FirstSync />;
  return (
    <Empty title="Nothing found">
      Fewer or other words may help{isNarrowed() ? ", or a search without the filters" : ""}.
    </Empty>
  );
}

/** Filters or signs alone, also for a moment while somebody types a quotation. */
function NoWord() {
  return (
    <Empty title="There is no word to search for yet">
      <a href="/conversations">Conversations</a> lists all of them, with filters for agents, projects and days.
    </Empty>
  );
}

function isNarrowed(): boolean {
  return [...FILTERS, "from", "to", "in"].some((name) => param(name) !== "");
}

type Counted = Pick<
  OperationOutput<"search">,
  "total" | "totals" | "total_any" | "total_complete" | "matches" | "words"
>;

/** Says what the numbers count: in a list of all kinds, each kind by itself. */
function countLine(counted: Counted, shown: number): string {
  if (shown === 0) return "";
  const { total, totals, total_complete = true } = counted;
  const least = total_complete ? "" : "At least ";
  if (totals) {
    const { conversations, passages, definitions } = totals;
    const parts = [conversationsLine({ ...counted, total: conversations })];
    if (passages > 0) parts.push(plural(passages, "passage"));
    if (definitions > 0) parts.push(plural(definitions, "definition"));
    return least + parts.join("; ");
  }
  if (kindOfSearch() === "documents") return least + plural(total, "passage");
  if (kindOfSearch() === "code") return least + plural(total, "definition");
  return least + conversationsLine(counted);
}

function conversationsLine({ total, total_any = total, matches, words = [] }: Counted): string {
  const count = plural(total, "conversation");
  const more =
    total_any > total ? `, ${longCount(total_any - total)} more with some of the words or a similar meaning` : "";
  if (matches === "exact") return `${count} with exactly this${more}`;
  if (matches === "all") return `${count} with ${words.length === 1 ? "the word" : "all words"}${more}`;
  return `${count}${more}`;
}

function DidYouMean({ words }: { words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <p>
      Did you mean{" "}
      {words.map((word, at) => (
        <Fragment key={word}>
          {at > 0 && ", "}
          <a href={hrefWith({ q: word })}>{visible(word)}</a>
        </Fragment>
      ))}
      ?
    </p>
  );
}

/** The words of a query without its operators, where the answer does not name them. */
function wordsOf(query: string): string[] {
  return query.split(/[\s"]+/).filter((word) => word !== "" && !/^-|:/.test(word));
}
