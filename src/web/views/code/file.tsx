/** One file: its lines with their blame, its history, its neighbours. */
import { ProjectPicker } from "../../parts/project.tsx";
import { visible } from "../../parts/text/visible.ts";
import { hrefWith, param } from "../../router.ts";
import { Blame } from "./blame.tsx";
import { FileHistory } from "./file_history.tsx";
import { projectHref } from "./hrefs.ts";
import { Neighbours } from "./neighbours.tsx";

const TABS = [
  { show: "", title: "Lines" },
  { show: "history", title: "History" },
  { show: "neighbours", title: "Neighbours" },
] as const;

export function FileView({ path }: { path: string }) {
  const show = param("show");
  const folders = path.split("/").slice(0, -1);
  return (
    <div class="page code-page">
      <header>
        <nav class="crumbs place" aria-label="Folders">
          <a href={projectHref("")}>Code</a>
          {folders.map((folder, at) => {
            const inner = folders.slice(0, at + 1).join("/");
            return (
              <span key={inner}>
                {" / "}
                <a href={projectHref(inner)}>{visible(folder)}</a>
              </span>
            );
          })}
        </nav>
        <h1 class="file-name">{visible(path.split("/").at(-1) ?? path)}</h1>
      </header>
      <div class="toolbar">
        <nav class="tabs" aria-label="About this file">
          {TABS.map(({ show: each, title }) => (
            <a key={each} href={hrefWith({ show: each })} aria-current={show === each ? "true" : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <ProjectPicker />
      </div>
      {show === "history" ? (
        <FileHistory path={path} />
      ) : show === "neighbours" ? (
        <Neighbours path={path} />
      ) : (
        <Blame key={path} path={path} />
      )}
    </div>
  );
}
