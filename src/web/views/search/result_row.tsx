/** One result: a link to the place that was found, its origin, and the passage. */
import type { OperationOutput } from "../../../operations/by_name.ts";
import { Agent, plural, Time, Tokens } from "../../parts/format.tsx";
import type { FocusList } from "../../parts/hooks/focus_list.ts";
import { codeHref, conversationHref, documentHref } from "../../parts/links.ts";
import { Owner } from "../../parts/owner.tsx";
import { Marked } from "../../parts/text/marked.tsx";
import { projectName, visible } from "../../parts/text/visible.ts";

export type Result = OperationOutput<"search">["results"][number];

export function hrefOf(result: Result): string {
  if (result.kind === "document") return documentHref(result.id);
  if (result.kind === "code") return codeHref(result.path ?? "", { line: result.first_line, project: result.project });
  // A member of the team may have a conversation of the same id.
  const id = result.origin === "team" ? (result.address ?? result.id) : result.id;
  return conversationHref(id, result.message_index < 0 ? undefined : result.message_index);
}

export interface ResultRowProps {
  result: Result;
  at: number;
  words: readonly string[];
  list: FocusList;
  why: boolean;
  toggleWhy(): void;
  opened(): void;
}

export function ResultRow({ result, at, words, list, why, toggleWhy, opened }: ResultRowProps) {
  return (
    <>
      <div class="result-head">
        <a
          class="result-title one-line"
          dir="auto"
          title={visible(result.title)}
          href={hrefOf(result)}
          {...list.linkProps(at)}
          onClick={opened}
          onAuxClick={opened}
        >
          {visible(result.title) || "Untitled"}
        </a>
        {result.kind === "conversation" && (
          <button type="button" class="plain why-button" aria-expanded={why} onClick={toggleWhy}>
            Why
          </button>
        )}
      </div>
      <p class="meta">
        <Origin result={result} />
      </p>
      <p
        class={result.kind === "code" ? "snippet snippet-code" : "snippet"}
        dir={result.kind === "code" ? "ltr" : "auto"}
      >
        <Marked text={result.signature ?? result.snippet} words={words} />
      </p>
    </>
  );
}

function Origin({ result }: { result: Result }) {
  if (result.kind === "document") {
    return (
      <>
        <span class="chip">Document</span>
        <span class="one-line">{visible(result.collection ?? "")}</span>
        <span class="one-line" title={visible(result.document ?? "")}>
          {visible(result.document ?? "")}
        </span>
      </>
    );
  }
  if (result.kind === "code") {
    return (
      <>
        <span class="chip">{result.definition ?? "code"}</span>
        <span class="one-line mono" title={visible(result.path ?? "")}>
          {visible(result.path ?? "")}:{result.first_line}
        </span>
      </>
    );
  }
  const { changed_since: changed } = result;
  return (
    <>
      <Agent source={result.source} />
      <Owner {...result} />
      <span class="one-line" title={result.project}>
        {visible(projectName(result.project))}
      </span>
      <Time iso={result.date} />
      <Tokens count={result.estimated_tokens} />
      {result.parent && (
        <span>{result.parent_kind === "abandoned" ? "abandoned branch" : (result.parent_kind ?? "subagent")}</span>
      )}
      {changed && changed.files > 0 && (
        <span title="Files that it edited and that changed since">
          {changed.files} of {plural(changed.of, "file")} changed since
        </span>
      )}
    </>
  );
}
