/**
 * The project that a view is about: `?project=` in the address, else the one chosen last, else the folder in which the
 * server was started.
 */
import { param, setQuery } from "../router.ts";
import { useCall } from "./hooks/use_call.ts";
import { projectName, visible } from "./text/visible.ts";

const KEY = "dex-project";

export interface ProjectInput {
  project?: string;
}

export function useProject(): ProjectInput {
  const chosen = param("project") || localStorage.getItem(KEY) || "";
  return chosen === "" || chosen === "." ? {} : { project: chosen };
}

function choose(project: string): void {
  localStorage.setItem(KEY, project);
  setQuery({ project: project === "." ? "." : project });
}

export function ProjectPicker() {
  const { project: repository = "." } = useProject();
  const { data } = useCall("stats", {});
  const others = new Set([...(data?.projects ?? []), ...(repository === "." ? [] : [repository])]);
  if (data) others.delete(data.folder);
  return (
    <label class="project-picker">
      <span class="quiet">Project</span>
      <select
        value={repository === data?.folder ? "." : repository}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value=".">
          {data ? `${visible(projectName(data.folder))} (started here)` : "Where dex was started"}
        </option>
        {[...others].map((path) => (
          <option key={path} value={path}>
            {visible(projectName(path))} ({visible(path)})
          </option>
        ))}
      </select>
    </label>
  );
}
