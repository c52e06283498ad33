/** Commits, conversations and decisions about a file, and the files that change with it. */
import { Agent, longCount, Time } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { codeHref, conversationHref } from "../../parts/links.ts";
import { commitHref, decisionHref } from "../../parts/place.ts";
import { useProject } from "../../parts/project.tsx";
import { percent } from "../../parts/sizes.ts";
import { Loading, Problem } from "../../parts/states.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith, param } from "../../router.ts";

const STEP = 50;

export function FileHistory({ path }: { path: string }) {
  const project = useProject();
  const limit = Number(param("n")) || STEP;
  const { data, error, loading, reload } = useCall("history", { ...project, target: path, limit }, { draft: true });
  if (error !== undefined) return <Problem error={error} retry={reload} />;
  if (!data) return loading ? <Loading lines={8} /> : null;
  return (
    <>
      {data.partners.length > 0 && (
        <section aria-label="Changes with it" class="partners">
          <h2>Usually changes with</h2>
          <ul>
            {data.partners.map(({ path: other, confidence, support }) => (
              <li key={other}>
                <a class="place" href={codeHref(other, { project: project.project })}>
                  {visible(other)}
                </a>{" "}
                <span class="quiet">
                  {percent(confidence)} of its changes, {longCount(support)} times
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ol class="rows">
        {data.events.map(({ kind, ref, text, time, author, how, source, symbols, added, deleted }) => (
          <li key={`${kind} ${ref}`} class="file-event">
            <p class="file-event-text">
              {kind === "conversation" ? (
                <a href={messageHref(ref)}>{visible(text)}</a>
              ) : kind === "commit" ? (
                <a href={commitHref(ref, project.project)}>{visible(text)}</a>
              ) : (
                <a href={decisionHref(ref, project.project)}>{visible(text)}</a>
              )}
            </p>
            <p class="quiet file-event-facts">
              <span>{kind}</span>
              <Time iso={time} />
              {source !== undefined && <Agent source={source} />}
              {author !== undefined && <span>{visible(author)}</span>}
              {how !== undefined && <span>{how}</span>}
              {added !== undefined && (
                <span>
                  +{longCount(added)} −{longCount(deleted ?? 0)}
                </span>
              )}
              {symbols !== undefined && <span class="place">{visible(symbols.slice(0, 4).join(", "))}</span>}
            </p>
          </li>
        ))}
      </ol>
      {data.total > data.events.length && (
        <a class="button" href={hrefWith({ n: String(limit + STEP) })}>
          Earlier ones
        </a>
      )}
    </>
  );
}

function messageHref(ref: string): string {
  const [id = ref, index] = ref.split("#");
  return conversationHref(id, index === undefined ? undefined : Number(index));
}
