/** A thread that reads files: parsing is most of the work of a first index. */
import { serveJobs } from "../../threads/serve.ts";
import { type ReadFile, type ReadRequest, readFile } from "./read_file.ts";

serveJobs<ReadRequest, ReadFile>(async (request, post) => post(await readFile(request)));
