/** The files that may define a fixture for a test: the test's own, and the `conftest.py` of each folder around it. */
export function fixtureFiles(path: string): string[] {
  const folders = path.split("/").slice(0, -1);
  const around = folders.map((_, at) => [...folders.slice(0, folders.length - at), "conftest.py"].join("/"));
  return [path, ...around, "conftest.py"];
}
