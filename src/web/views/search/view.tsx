/** Search as you type. */

import { Problem } from "../../parts/states.tsx";
import { useCall } from "../../parts/use_call.ts";
import { param, setQuery } from "../../router.ts";

export function View() {
  const query = param("q");
  const { data, error } = useCall("search", query === "" ? undefined : { query, in: "all" }, { draft: true });
  return (
    <div class="page">
      <input
        type="search"
        data-search
        aria-label="Search"
        value={query}
        onInput={(event) => setQuery({ q: event.currentTarget.value }, { replace: true })}
      />
      {error !== undefined && <Problem error={error} />}
      <ul>
        {data?.results.map((result) => (
          <li key={result.id}>{result.title}</li>
        ))}
      </ul>
    </div>
  );
}
