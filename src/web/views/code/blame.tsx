/**
 * The lines of a file with the blame gutter: line, commit, and the message that wrote it, with how sure dex is. Choosing a
 * conversation marks all its lines that still stand in this file.
 */
import { useEffect } from "preact/hooks";
import { ApiError } from "../../api.ts";
import { agentName, longCount, Time } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { conversationHref } from "../../parts/links.ts";
import { commitHref } from "../../parts/place.ts";
import { useProject } from "../../parts/project.tsx";
import { ScrollRegion } from "../../parts/scroll_region.tsx";
import { percent } from "../../parts/sizes.ts";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { Highlighted, languageOf } from "../../parts/text/highlight.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith, navigate, param } from "../../router.ts";
import { projectHref } from "./hrefs.ts";
import { idOf, linesOf, type Range, writerOf } from "./ranges.ts";

/** The blame of a line takes some milliseconds. */
const PAGE_LINES = 200;
const MAX_RANGES = 10_000;

export function Blame({ path }: { path: string }) {
  const project = useProject();
  const line = Number(param("line")) || 0;
  const from = Math.max(1, Number(param("from")) || pageOf(line));
  const to = from + PAGE_LINES - 1;
  const { data, error, loading, progress, reload } = useCall(
    "blame",
    { ...project, place: `${path}:${from}-${to}`, limit: MAX_RANGES },
    { draft: true, long: true },
  );
  const chosen = param("by");
  const ranges = data?.ranges ?? [];
  const last = ranges.at(-1)?.last ?? from;
  useEffect(() => {
    const mark = line > 0 && data ? document.getElementById(`L${line}`) : null;
    mark?.scrollIntoView({ block: "center" });
    // The mark is as wide as the longest line; only the page is to move.
    mark?.closest(".scroll-x")?.scrollTo({ left: 0 });
  }, [line, data !== undefined]);
  // A place that names a folder: its map is the view of it.
  const isFolder = error instanceof ApiError && error.code === "not_a_file";
  useEffect(() => {
    if (isFolder) navigate(projectHref(path), { replace: true });
  }, [isFolder]);
  const isPastEnd = error instanceof ApiError && error.code === "no_line" && line === 0;
  if (isPastEnd) return <PastEnd from={from} />;
  if (error !== undefined) return isFolder ? null : <Problem error={error} retry={reload} />;
  if (!data) return loading ? <Loading lines={14} progress={progress} /> : null;
  return (
    <>
      <Chosen ranges={ranges} id={chosen} />
      {from > 1 && (
        <p class="pages">
          <a class="button" href={hrefWith({ from: String(Math.max(1, from - PAGE_LINES)), line: "" })}>
            Lines before {longCount(from)}
          </a>
        </p>
      )}
      <ScrollRegion label={`Lines of ${path}`}>
        <ol class="blame">
          {ranges.map((range) => (
            <RangeRow
              key={range.first}
              range={range}
              path={path}
              chosen={chosen}
              line={line}
              project={project.project}
            />
          ))}
        </ol>
      </ScrollRegion>
      {last >= to && (
        <p class="pages">
          <a class="button" href={hrefWith({ from: String(to + 1), line: "" })}>
            Lines after {longCount(to)}
          </a>
        </p>
      )}
    </>
  );
}

/** An empty file, or the page after the last line. */
function PastEnd({ from }: { from: number }) {
  if (from === 1) return <Empty title="The file is empty" />;
  return (
    <Empty title={`The file ends before line ${longCount(from)}`}>
      <a href={hrefWith({ from: String(Math.max(1, from - PAGE_LINES)) })}>The lines before</a>
    </Empty>
  );
}

function pageOf(line: number): number {
  return line <= PAGE_LINES ? 1 : Math.max(1, line - PAGE_LINES / 2);
}

/** How many of these lines a conversation wrote. */
function Chosen({ ranges, id }: { ranges: readonly Range[]; id: string }) {
  if (id === "") return null;
  const own = ranges.filter((range) => idOf(range) === id);
  const title = own.map((range) => writerOf(range)?.title).find((each) => each !== undefined);
  return (
    <p class="blame-chosen">
      {linesOf(own) === 0 ? "None" : longCount(linesOf(own))} of these {longCount(linesOf(ranges))} lines{" "}
      {linesOf(own) === 1 ? "is" : "are"} of <a href={conversationHref(id)}>{visible(title ?? id)}</a>.{" "}
      <a href={hrefWith({ by: "" })}>Stop marking lines</a>
    </p>
  );
}

interface RangeRowProps {
  range: Range;
  path: string;
  chosen: string;
  line: number;
  project: string | undefined;
}

function RangeRow({ range, path, chosen, line, project }: RangeRowProps) {
  const { first, last, text } = range;
  const id = idOf(range);
  const state = chosen === "" ? "" : id === chosen ? "range-own" : "range-other";
  const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at).join("\n");
  return (
    <li class={`range ${state}`} value={first}>
      <Gutter range={range} project={project} />
      <pre class="range-numbers" aria-hidden="true">
        {numbers}
      </pre>
      <pre class="range-lines">
        {line >= first && line <= last && (
          <span id={`L${line}`} class="line-chosen" style={{ top: `calc(2px + ${line - first} * 1.5em)` }} />
        )}
        <Highlighted code={text} language={languageOf(path)} />
      </pre>
    </li>
  );
}

/** The words of the gutter for a conversation whose message is unknown. */
function sureness(confidence: number): string {
  return Math.round(confidence * 100) === 100 ? "conversation" : `${percent(confidence)} sure`;
}

function Gutter({ range, project }: { range: Range; project: string | undefined }) {
  const { commit, conversation, written_by, unknown } = range;
  const writer = writerOf(range);
  const id = idOf(range);
  const words = written_by ? (writer?.place ?? "") : sureness(conversation?.confidence ?? 0);
  return (
    <div class="gutter">
      {commit ? (
        <a
          class="place gutter-commit"
          href={commitHref(commit.sha, project)}
          title={`${commit.subject}, ${commit.author}`}
        >
          {commit.sha.slice(0, 7)}
        </a>
      ) : (
        <span class="quiet gutter-commit">{unknown ? "unknown" : "not committed"}</span>
      )}
      {commit && (
        <span class="quiet gutter-time">
          <Time iso={commit.time} />
        </span>
      )}
      {writer && (
        <span class="gutter-writer agent" data-agent={writer.source}>
          <a
            href={writer.href}
            title={`${writer.title} (${written_by ? "the message wrote these lines" : `the conversation made the commit, ${percent(conversation?.confidence ?? 0)} sure`})`}
            aria-label={`${words}: the ${written_by ? "message that wrote" : "conversation behind"} line ${range.first}, ${agentName(writer.source)}, ${writer.title}`}
          >
            {words}
          </a>
        </span>
      )}
      {id !== undefined && (
        <a
          class="gutter-all"
          href={hrefWith({ by: id })}
          aria-label={`Mark all lines of the conversation of line ${range.first}`}
        >
          all lines
        </a>
      )}
    </div>
  );
}
