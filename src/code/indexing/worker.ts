/** A thread that reads files: parsing is most of the work of a first index. */
import { serveJobs } from "../../threads/serve.ts";
import { type ReadFile, type ReadRequest, readFile } from "./read_file.ts";

serveJobs<readonly ReadRequest[], readonly ReadFile[]>(async (requests, post) => {
  const read: ReadFile[] = [];
  for (const request of requests) read.push(await readFile(request));
  post(read);
});
