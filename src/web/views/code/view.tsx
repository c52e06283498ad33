/** The code of a project: all files as a treemap, one file with its blame, its history and its neighbours. */
import type { ViewProps } from "../../routes.ts";
import { FileView } from "./file.tsx";
import { Project } from "./project.tsx";
import href from "./view.css";

export const sheet = href;

export function View({ params }: ViewProps) {
  return params.path ? <FileView path={params.path} /> : <Project />;
}
