/** The health of dex: problems with their remedy, agents and their connections, files on the disk; repair and refresh. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { OperationOutput } from "../../../operations/by_name.ts";
import { callLong, isAbort, type Progress } from "../../api.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { longCount, plural, Time } from "../../parts/format.tsx";
import { useAction } from "../../parts/hooks/use_action.ts";
import { ScrollRegion } from "../../parts/scroll_region.tsx";
import { bytes } from "../../parts/sizes.ts";
import { Loading, Problem, Step } from "../../parts/states.tsx";
import { visible } from "../../parts/text/visible.ts";
import href from "./view.css";

export const sheet = href;

type Health = OperationOutput<"doctor">;

export function View() {
  const { data, error, loading, step, reload } = useHealth();
  const [repairing, setRepairing] = useState(false);
  const [repaired, setRepaired] = useState<Health>();
  const action = useAction(reload);
  const repair = (): Promise<boolean> =>
    action.run("doctor", { fix: true }, (output) => {
      setRepaired(output);
      return output.problems.length === 0 ? "Everything is in order." : "dex repaired what it could.";
    });
  return (
    <div class="page doctor">
      <header>
        <h1>Health</h1>
        {data && <Verdict health={data} />}
      </header>
      <div class="toolbar">
        <button type="button" disabled={loading} onClick={reload}>
          {loading ? "Checking…" : "Check again"}
        </button>
        <button
          type="button"
          disabled={action.busy}
          onClick={() =>
            void action.run(
              "sync",
              {},
              (output) => `Synced: ${plural(output.new, "new conversation")}, ${longCount(output.updated)} updated.`,
            )
          }
        >
          Sync now
        </button>
        <button type="button" class="danger" disabled={action.busy} onClick={() => setRepairing(true)}>
          Repair
        </button>
      </div>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {loading && step && <Step {...step} />}
      {!data && loading && <Loading lines={8} />}
      {repaired && <Repaired health={repaired} />}
      {data && <Report health={data} />}
      {repairing && (
        <Confirm title="Repair dex's files?" action="Repair" run={repair} close={() => setRepairing(false)}>
          <p>
            dex rebuilds damaged databases from the archive, and cuts what cannot be read from damaged archives. The
            files of your agents are not touched.
          </p>
        </Confirm>
      )}
    </div>
  );
}

interface HealthState {
  data?: Health;
  error?: unknown;
  loading: boolean;
  /** The part of the check that runs now. */
  step?: Progress;
}

/** The check reads every file of dex: it runs apart from the other calls. */
function useHealth(): HealthState & { reload(): void } {
  const [state, setState] = useState<HealthState>({ loading: true });
  const [again, setAgain] = useState(0);
  useEffect(() => {
    const { signal, abort } = abortable();
    setState((last) => ({ ...last, loading: true }));
    callLong("doctor", {}, (step) => setState((last) => ({ ...last, step })), { signal }).then(
      (data) => setState({ data, loading: false }),
      (error: unknown) => {
        if (!isAbort(error)) setState((last) => ({ ...last, error, loading: false }));
      },
    );
    return abort;
  }, [again]);
  return { ...state, reload: () => setAgain((n) => n + 1) };
}

function abortable(): { signal: AbortSignal; abort(): void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

function Verdict({ health }: { health: Health }) {
  const { problems, version, node, home } = health;
  return (
    <p class={problems.length === 0 ? "verdict good" : "verdict bad"}>
      {problems.length === 0 ? "Everything is in order." : `${plural(problems.length, "problem")} found.`}{" "}
      <span class="quiet">
        dex {version}, Node {node}, <code>{home}</code>
      </span>
    </p>
  );
}

function Repaired({ health }: { health: Health }) {
  const { fixed, lost } = health;
  return (
    <section aria-label="Last repair">
      <h2>Last repair</h2>
      {fixed.length + lost.length === 0 && <p class="quiet">There was nothing to repair.</p>}
      <ul class="rows">
        {fixed.map((what) => (
          <li key={what}>{what}</li>
        ))}
        {lost.map((what) => (
          <li key={what} class="lost">
            Lost: {what}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Report({ health }: { health: Health }) {
  const { problems, index, disk, agents, connections, left_out, collections, unknown_files } = health;
  const isMissing = ({ found, conversations }: Health["agents"][number]): boolean => !found && conversations === 0;
  const missing = agents.filter(isMissing);
  return (
    <>
      {problems.length > 0 && (
        <section aria-label="Problems">
          <h2>Problems</h2>
          <ul class="rows">
            {problems.map(({ code, what, path, fix }) => (
              <li key={`${code} ${path} ${what}`} class="trouble">
                <p>{visible(what)}</p>
                {path !== null && <p class="place">{visible(path)}</p>}
                <p class="quiet">
                  Remedy: <code>{fix}</code>
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-label="Index">
        <h2>Index</h2>
        <dl class="figures">
          <Figure name="Conversations" value={longCount(index.conversations)} />
          <Figure name="Indexed texts" value={longCount(index.texts)} />
          <Figure name="Archive" value={bytes(disk.archive)} />
          <Figure name="Index" value={bytes(disk.index)} />
          <Figure name="Last sync" value={index.last_sync === null ? "never" : <Time iso={index.last_sync} />} />
          <Figure name="Waiting" value={plural(index.changed_files, "file")} />
        </dl>
      </section>
      <section aria-label="Agents">
        <h2>Agents</h2>
        <ScrollRegion label="Agents and their history">
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Agent</th>
                <th scope="col" class="number">
                  Conversations
                </th>
                <th scope="col" class="number">
                  Files
                </th>
                <th scope="col" class="number">
                  Size
                </th>
                <th scope="col">Connection</th>
              </tr>
            </thead>
            <tbody>
              {agents
                .filter((agent) => !isMissing(agent))
                .toSorted((a, b) => b.conversations - a.conversations)
                .map(({ source, name, found, conversations, files, bytes: size }) => (
                  <tr key={source} class={found ? "" : "quiet"}>
                    <th scope="row">
                      <span class="agent" data-agent={source}>
                        {name}
                      </span>
                    </th>
                    <td class="number">{longCount(conversations)}</td>
                    <td class="number">{found ? longCount(files) : "not found"}</td>
                    <td class="number">{found ? bytes(size) : ""}</td>
                    <td>{connectionText(connections, source, name)}</td>
                  </tr>
                ))}
            </tbody>
          </table>
        </ScrollRegion>
        {missing.length > 0 && (
          <details>
            <summary>{plural(missing.length, "more agent")} that dex reads and did not find</summary>
            <p class="quiet">{missing.map(({ name }) => name).join(", ")}</p>
          </details>
        )}
      </section>
      {collections.length > 0 && (
        <section aria-label="Documentation">
          <h2>Documentation</h2>
          <ul class="rows">
            {collections.map(({ name, documents, synced, failed }) => (
              <li key={name}>
                <p>
                  <a href={`/docs?collection=${encodeURIComponent(name)}`}>{visible(name)}</a>
                </p>
                <p class="quiet">
                  {plural(documents, "document")},{" "}
                  {synced === null ? (
                    "never synced"
                  ) : (
                    <>
                      synced <Time iso={synced} />
                    </>
                  )}
                  {failed > 0 && `, ${failed} failed`}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {left_out.length > 0 && (
        <section aria-label="Left out on purpose">
          <h2>Left out on purpose</h2>
          <ul class="rows">
            {left_out.map(({ what, setting }) => (
              <li key={what}>
                <p>{visible(what)}</p>
                <p>
                  <a href={`/settings?q=${encodeURIComponent(setting)}`}>{setting}</a>
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      {unknown_files.length > 0 && (
        <details>
          <summary>{plural(unknown_files.length, "file")} in dex's home that dex does not know</summary>
          <ul>
            {unknown_files.map((path) => (
              <li key={path} class="place">
                {visible(path)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function connectionText(connections: Health["connections"], source: string, name: string): string {
  const own = connections.filter((each) => each.agent === source || each.name === name);
  return own.map(({ state, scope }) => (scope === "project" ? `${state} (project)` : state)).join(", ");
}

function Figure({ name, value }: { name: string; value: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
