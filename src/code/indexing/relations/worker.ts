/** A thread that resolves the relations of some files, while the main thread writes those of others. */
import { workerData } from "node:worker_threads";
import { openSharedFacts } from "../../../store/engine/code_facts.ts";
import { serveJobs } from "../../../threads/serve.ts";
import { projectFiles } from "../../resolving/project/project_files.ts";
import { RelationFinder } from "./file_relations.ts";
import { type PackedRelations, packRelations } from "./packed.ts";

const store = openSharedFacts(String(workerData));
const finder = new RelationFinder(store, projectFiles(store));

serveJobs<readonly string[], PackedRelations>((paths, post) => {
  const packed = packRelations(paths.map((path) => finder.find(path)));
  const { files, edges, links, needs } = packed;
  post(packed, [files.buffer, edges.buffer, links.buffer, needs.buffer]);
});
