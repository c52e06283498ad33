/** Collections of documentation, their documents, search in them, and a document with its outline. */
import { useEffect, useState } from "preact/hooks";
import { longCount, plural, Time } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { documentHref } from "../../parts/links.ts";
import { bytes } from "../../parts/sizes.ts";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith, param, setQuery } from "../../router.ts";
import { DocumentView } from "./document.tsx";
import { idOf } from "./id.ts";
import href from "./view.css";

export const sheet = href;

const PAGE = 100;

export function View() {
  const id = param("id");
  return id === "" ? <Library /> : <DocumentView id={id} />;
}

function Library() {
  const query = param("q");
  const collection = param("collection");
  return (
    <div class="page">
      <header>
        <h1>Documents</h1>
        <p class="quiet">Documentation that dex has indexed for this project and for all projects.</p>
      </header>
      <div class="toolbar">
        <input
          type="search"
          aria-label="Search the documentation"
          placeholder="Words or a question"
          value={query}
          onInput={(event) => setQuery({ q: event.currentTarget.value }, { replace: true })}
        />
        {collection !== "" && (
          <a
            class="chip chip-on"
            href={hrefWith({ collection: "", from: "" })}
            aria-label={`All collections, not only ${collection}`}
          >
            {collection} ×
          </a>
        )}
      </div>
      {query !== "" ? (
        <Passages query={query} collection={collection} />
      ) : collection !== "" ? (
        <Documents collection={collection} />
      ) : (
        <Collections />
      )}
    </div>
  );
}

function Collections() {
  const { data, error, loading, reload } = useCall("docs list", {});
  if (error !== undefined) return <Problem error={error} retry={reload} />;
  if (!data) return loading ? <Loading /> : null;
  if (data.collections.length === 0) {
    return (
      <Empty title="No documentation yet">
        <code>dex docs add react</code> adds the documentation of a package; folders, repositories and websites work,
        too.
      </Empty>
    );
  }
  return (
    <ul class="rows">
      {data.collections.map(
        ({ name, origin, source, version, documents, estimated_tokens, bytes: size, synced, failed }) => (
          <li key={`${origin} ${name}`}>
            <h2>
              <a class="collection-name" href={hrefWith({ collection: name })}>
                {name}
              </a>
              {version !== null && <span class="quiet"> {version}</span>}
            </h2>
            <p class="place quiet">{visible(source)}</p>
            <p class="quiet">
              {plural(documents, "document")}, {longCount(estimated_tokens)} tokens, {bytes(size)},{" "}
              {origin === "project" ? "this project" : "all projects"},{" "}
              {synced === null ? (
                "never synced"
              ) : (
                <>
                  synced <Time iso={synced} />
                </>
              )}
              {failed > 0 && `, ${failed} could not be fetched`}
            </p>
          </li>
        ),
      )}
    </ul>
  );
}

function Documents({ collection }: { collection: string }) {
  const from = Number(param("from")) || 0;
  const { data, error, loading, reload } = useCall("docs documents", {
    collections: [collection],
    limit: PAGE,
    offset: from,
  });
  if (error !== undefined) return <Problem error={error} retry={reload} />;
  if (!data) return loading ? <Loading lines={10} /> : null;
  return (
    <>
      <p class="quiet">{plural(data.total, "document")}</p>
      <ul class="rows">
        {data.documents.map(({ document, title, description, estimated_tokens, sections }) => (
          <li key={document}>
            <a class="document-title" href={documentHref(idOf({ collection, document }))}>
              {visible(title)}
            </a>
            {description !== undefined && <p>{visible(description)}</p>}
            <p class="quiet">
              <span class="place">{visible(document)}</span>, {plural(sections, "section")},{" "}
              {longCount(estimated_tokens)} tokens
            </p>
          </li>
        ))}
      </ul>
      <p class="pages">
        {from > 0 && (
          <a class="button" href={hrefWith({ from: String(Math.max(0, from - PAGE)) })}>
            Earlier
          </a>
        )}
        {from + PAGE < data.total && (
          <a class="button" href={hrefWith({ from: String(from + PAGE) })}>
            Next {longCount(Math.min(PAGE, data.total - from - PAGE))}
          </a>
        )}
      </p>
    </>
  );
}

/** While the user types, the server writes no trace; after a rest it does. */
const REST_MS = 800;

function Passages({ query, collection }: { query: string; collection: string }) {
  const [settled, setSettled] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSettled(query), REST_MS);
    return () => clearTimeout(timer);
  }, [query]);
  const input = { query, limit: 20, ...(collection === "" ? {} : { collections: [collection] }) };
  const { data, error, loading } = useCall("docs search", input, { draft: settled !== query });
  if (error !== undefined) return <Problem error={error} />;
  if (!data) return loading ? <Loading /> : null;
  if (data.results.length === 0) return <Empty title="Nothing in the documentation matches" />;
  return (
    <>
      <p class="quiet" role="status">
        {plural(data.total, "passage")}
        {data.note !== undefined && `. ${data.note}`}
      </p>
      <ol class="rows">
        {data.results.map(({ id, collection: name, document, section, headings, title, snippet }) => (
          <li key={id}>
            <a class="document-title" href={documentHref(idOf({ collection: name, document, section }))}>
              {visible(headings.at(-1) ?? title)}
            </a>
            <p class="passage">{visible(snippet)}</p>
            <p class="quiet">
              {name}, <span class="place">{visible(document)}</span>
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
