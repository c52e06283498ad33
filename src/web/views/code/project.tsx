/** All files of a project: a treemap by size or churn, which folders narrow, and the same as a list. */
import type { OperationOutput } from "../../../operations/by_name.ts";
import { longCount, plural, shortCount, Time } from "../../parts/format.tsx";
import { useCall } from "../../parts/hooks/use_call.ts";
import { codeHref } from "../../parts/links.ts";
import { ProjectPicker, useProject } from "../../parts/project.tsx";
import { Empty, Loading, Problem } from "../../parts/states.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith, param, setQuery } from "../../router.ts";
import { TreeMap } from "./tree_map.tsx";

type CodeFile = OperationOutput<"code files">["files"][number];

const MAX_FILES = 10_000;
const MAX_LISTED = 60;
const MEASURES = [
  { by: "", title: "By size" },
  { by: "churn", title: "By churn" },
] as const;

export function Project() {
  const { project: repository } = useProject();
  const by = param("by") === "churn" ? "churn" : "size";
  const folder = param("in");
  const words = param("q").toLowerCase();
  const { data, error, loading, progress, reload } = useCall(
    "code files",
    {
      ...(repository === undefined ? {} : { project: repository }),
      limit: MAX_FILES,
    },
    { long: true },
  );
  const files = (data?.files ?? []).filter(
    ({ path }) => (folder === "" || path.startsWith(`${folder}/`)) && path.toLowerCase().includes(words),
  );
  const value = ({ lines, commits }: CodeFile): number => (by === "churn" ? commits : lines);
  return (
    <div class="page code-page">
      <header>
        <h1>Code</h1>
        {data && (
          <p class="quiet">
            {plural(data.total, "file")} of <span class="place">{visible(data.project)}</span>
          </p>
        )}
      </header>
      <div class="toolbar">
        <input
          type="search"
          aria-label="Filter files by name"
          placeholder="Part of a path"
          value={param("q")}
          onInput={(event) => setQuery({ q: event.currentTarget.value }, { replace: true })}
        />
        <nav class="tabs" aria-label="Measure">
          {MEASURES.map(({ by: each, title }) => (
            <a
              key={each}
              href={hrefWith({ by: each })}
              aria-current={(each === "churn") === (by === "churn") ? "true" : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <ProjectPicker />
      </div>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {!data && loading && <Loading lines={8} progress={progress} />}
      {data && data.total === 0 && (
        <Empty title="No code is indexed here">
          <code>dex code index</code> reads the code of a project.
        </Empty>
      )}
      {files.length > 0 && (
        <>
          <Crumbs folder={folder} />
          <TreeMap
            files={files.map((file) => ({ path: file.path, value: value(file), test: file.test }))}
            folder={folder}
            unit={by === "churn" ? "commit" : "line"}
            fileHref={(path) => codeHref(path, { project: repository })}
          />
          <Files files={files.toSorted((a, b) => value(b) - value(a))} repository={repository} />
        </>
      )}
      {data && data.total > 0 && files.length === 0 && <Empty title="No file has this in its path" />}
    </div>
  );
}

function Crumbs({ folder }: { folder: string }) {
  const parts = folder === "" ? [] : folder.split("/");
  return (
    <nav class="crumbs place" aria-label="Folder">
      <a href={hrefWith({ in: "" })} aria-current={folder === "" ? "true" : undefined}>
        all folders
      </a>
      {parts.map((part, at) => (
        <span key={parts.slice(0, at + 1).join("/")}>
          {" / "}
          <a
            href={hrefWith({ in: parts.slice(0, at + 1).join("/") })}
            aria-current={at === parts.length - 1 ? "true" : undefined}
          >
            {visible(part)}
          </a>
        </span>
      ))}
    </nav>
  );
}

function Files({ files, repository }: { files: readonly CodeFile[]; repository: string | undefined }) {
  return (
    <section aria-label="Files">
      <h2>
        {files.length > MAX_LISTED
          ? `The first ${MAX_LISTED} of ${longCount(files.length)} files`
          : plural(files.length, "file")}
      </h2>
      <table class="table files">
        <thead>
          <tr>
            <th scope="col">File</th>
            <th scope="col" class="number">
              Lines
            </th>
            <th scope="col" class="number">
              Commits
            </th>
            <th scope="col" class="files-last">
              Last
            </th>
          </tr>
        </thead>
        <tbody>
          {files.slice(0, MAX_LISTED).map(({ path, lines, commits, changed, test }) => (
            <tr key={path}>
              <th scope="row">
                <a class="place" href={codeHref(path, { project: repository })}>
                  {visible(path)}
                </a>
                {test && <span class="quiet"> test</span>}
              </th>
              <td class="number">{shortCount(lines)}</td>
              <td class="number">{longCount(commits)}</td>
              <td class="files-last">
                <Time iso={changed} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
