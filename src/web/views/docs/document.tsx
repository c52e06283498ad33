/** One document: its outline beside the section that is being read. */
import { Loading, Problem } from "../../parts/states.tsx";
import { useCall } from "../../parts/use_call.ts";
import { number } from "../../parts/words.ts";
import { hrefWith, param } from "../../router.ts";
import { documentHref } from "./href.ts";

const MAX_TOKENS = 12_000;

export function DocumentView({ path }: { path: string }) {
  const collection = param("collection");
  const section = param("section");
  const from = Number(param("line")) || undefined;
  const where = { document: path, ...(collection === "" ? {} : { collection }) };
  const outline = useCall("docs outline", where);
  const shown = useCall("docs show", {
    ...where,
    document: section === "" ? path : `${path}#${section}`,
    max_tokens: MAX_TOKENS,
    ...(from === undefined ? {} : { from_line: from }),
  });
  const sections = outline.data?.sections ?? [];
  return (
    <div class="page document">
      <header>
        <p>
          <a href="/docs">Documents</a> /{" "}
          <a href={`/docs?collection=${encodeURIComponent(collection)}`}>{collection || "all"}</a>
        </p>
        <h1>{outline.data?.title ?? path}</h1>
        <p class="quiet place">{outline.data?.location ?? path}</p>
      </header>
      <div class="document-columns">
        <nav aria-label="Sections" class="outline">
          <ul>
            <li>
              <a href={documentHref(collection, path)} aria-current={section === "" ? "true" : undefined}>
                From the start
              </a>
            </li>
            {sections.map(({ section: slug, heading, level, total_tokens }) => (
              <li key={slug} class={`level-${Math.min(level, 4)}`}>
                <a
                  href={documentHref(collection, path, slug)}
                  aria-current={slug === section ? "true" : undefined}
                  title={`${number(total_tokens)} tokens`}
                >
                  {heading}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="document-text">
          {shown.error !== undefined && <Problem error={shown.error} />}
          {!shown.data && shown.loading && <Loading />}
          {shown.data && <pre class="prose document-body">{shown.data.text}</pre>}
          {shown.data?.truncated && (
            <a class="button" href={hrefWith({ line: String(shown.data.truncated.next_line) })}>
              Read on at line {number(shown.data.truncated.next_line)}
            </a>
          )}
        </div>
      </div>
    </div>
  );
}
