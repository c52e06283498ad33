/** The pack: the text that a new conversation begins with, for a task and a budget. */
import { useState } from "preact/hooks";
import { longCount } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { useProject } from "../../parts/project.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { visible } from "../../parts/text/visible.ts";
import { param, setQuery } from "../../router.ts";
import { say } from "../../shell/say.ts";

const BUDGETS = ["500", "1000", "2000", "4000", "8000"] as const;

export function Pack() {
  const project = useProject();
  const task = param("task");
  const tokens = Number(param("tokens")) || 2000;
  const [typed, setTyped] = useState(task);
  const { data, error, loading } = useCall("pack", {
    ...project,
    max_tokens: tokens,
    ...(task === "" ? {} : { task }),
  });
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(data?.text ?? "");
    say("Copied.");
  };
  return (
    <>
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery({ task: typed });
        }}
      >
        <input
          type="search"
          aria-label="The task"
          placeholder="The task, if there is one"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <label class="check">
          <span class="quiet">Tokens</span>
          <select value={String(tokens)} onChange={(event) => setQuery({ tokens: event.currentTarget.value })}>
            {BUDGETS.map((budget) => (
              <option key={budget} value={budget}>
                {longCount(Number(budget))}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">Make the pack</button>
        <button type="button" disabled={!data?.text} onClick={() => void copy()}>
          Copy
        </button>
      </form>
      {error !== undefined && <Problem error={error} />}
      {!data && loading && <Loading />}
      {data && (
        <>
          <p class="quiet">
            {longCount(data.tokens)} tokens
            {data.sections.map(({ title, shown, total }, at) => `${at > 0 ? "," : ":"} ${title} ${shown} of ${total}`)}
          </p>
          {data.text ? (
            <pre class="code pack-text">{visible(data.text)}</pre>
          ) : (
            <Empty title="Nothing to pack yet">dex knows nothing about this project.</Empty>
          )}
        </>
      )}
    </>
  );
}
