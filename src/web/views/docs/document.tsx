/** One document: its outline beside the section that is being read. */
import type { ComponentType } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { longCount } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { documentHref } from "../../parts/links.ts";
import { Loading, Problem } from "../../parts/states.tsx";
import { localLink, resolvePath } from "../../parts/text/local_link.ts";
import type { FileHref, MarkdownProps } from "../../parts/text/markdown.tsx";
import { visible } from "../../parts/text/visible.ts";
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
              <li key={slug} class={`outline-${Math.min(level, 4)}`}>
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
          {shown.data && (
            <Body
              collection={collection}
              document={path}
              text={shown.data.text}
              isMarkdown={/^(?:markdown|mdx)$/.test(shown.data.format)}
            />
          )}
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

/** A link to a file of this kind leads to a document of the collection. */
const DOCUMENT = /\.(?:md|mdx|mdc|markdown|rst|adoc|asciidoc|txt|html?|pdf)$/i;

interface BodyProps {
  collection: string;
  document: string;
  text: string;
  isMarkdown: boolean;
}

/** Markdown is loaded when a document is first read, and never for the list of documents. */
function Body({ collection, document, text, isMarkdown }: BodyProps) {
  const [Markdown, setMarkdown] = useState<ComponentType<MarkdownProps>>();
  useEffect(() => {
    if (isMarkdown) void import("../../parts/text/markdown.tsx").then((module) => setMarkdown(() => module.Markdown));
  }, [isMarkdown]);
  const fileHref = useMemo<FileHref>(
    () => (link) => {
      const { path, anchor: section } = localLink(link) ?? {};
      if (path === undefined) return undefined;
      if (path === "") return documentHref(idOf({ collection, document, section }));
      const folder = path.startsWith("/") ? "" : document.replace(/[^/]*$/, "");
      const target = DOCUMENT.test(path) ? resolvePath(folder, path) : undefined;
      return target && documentHref(idOf({ collection, document: target, section }));
    },
    [collection, document],
  );
  return isMarkdown && Markdown ? (
    <Markdown text={text} fileHref={fileHref} />
  ) : (
    <pre class="prose document-body">{visible(text)}</pre>
  );
}
