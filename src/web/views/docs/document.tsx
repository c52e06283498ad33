/** One document: its outline beside the section that is being read. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { longCount } from "../../parts/format.tsx";
import { documentHref } from "../../parts/links.ts";
import { Loading, Problem } from "../../parts/states.tsx";
import { visible } from "../../parts/text/visible.ts";
import { useCall } from "../../parts/use_call.ts";
import { hrefWith, param } from "../../router.ts";
import { idOf, placeOf } from "./id.ts";

const MAX_TOKENS = 12_000;

export function DocumentView({ id }: { id: string }) {
  const { collection, document: path, section = "" } = placeOf(id);
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
        <h1>{visible(outline.data?.title ?? path)}</h1>
        <p class="quiet place">{visible(outline.data?.location ?? path)}</p>
      </header>
      <div class="document-columns">
        <nav aria-label="Sections" class="outline">
          <ul>
            <li>
              <a
                href={documentHref(idOf({ collection, document: path }))}
                aria-current={section === "" ? "true" : undefined}
              >
                From the start
              </a>
            </li>
            {sections.map(({ section: slug, heading, level, total_tokens }) => (
              <li key={slug} class={`level-${Math.min(level, 4)}`}>
                <a
                  href={documentHref(idOf({ collection, document: path, section: slug }))}
                  aria-current={slug === section ? "true" : undefined}
                  title={`${longCount(total_tokens)} tokens`}
                >
                  {visible(heading)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="document-text">
          {shown.error !== undefined && <Problem error={shown.error} />}
          {!shown.data && shown.loading && <Loading />}
          {shown.data && <Body text={shown.data.text} isMarkdown={/^(?:markdown|mdx)$/.test(shown.data.format)} />}
          {shown.data?.truncated && (
            <a class="button" href={hrefWith({ line: String(shown.data.truncated.next_line) })}>
              Read on at line {longCount(shown.data.truncated.next_line)}
            </a>
          )}
        </div>
      </div>
    </div>
  );
}

/** Markdown is loaded when a document is first read, and never for the list of documents. */
function Body({ text, isMarkdown }: { text: string; isMarkdown: boolean }) {
  const [Markdown, setMarkdown] = useState<ComponentType<{ text: string }>>();
  useEffect(() => {
    if (isMarkdown) void import("../../parts/text/markdown.tsx").then((module) => setMarkdown(() => module.Markdown));
  }, [isMarkdown]);
  return isMarkdown && Markdown ? <Markdown text={text} /> : <pre class="prose document-body">{visible(text)}</pre>;
}
