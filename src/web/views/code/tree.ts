/** Paths as a tree of folders. A folder with nothing but one folder in it is joined with that one: `src/main/java`. */

export interface MapFile {
  path: string;
  value: number;
  test: boolean;
}

export interface MapNode {
  path: string;
  name: string;
  /** Of a file. */
  value?: number;
  test?: boolean;
  /** Of a folder. */
  children?: MapNode[];
}

interface Folder {
  folders: Map<string, Folder>;
  files: MapNode[];
}

export function treeOf(files: readonly MapFile[], root: string): MapNode {
  const top: Folder = { folders: new Map(), files: [] };
  const skip = root === "" ? 0 : root.split("/").length;
  for (const { path, value, test } of files) {
    const parts = path.split("/").slice(skip);
    const name = parts.pop() ?? path;
    let folder = top;
    for (const part of parts) {
      const next: Folder = folder.folders.get(part) ?? { folders: new Map(), files: [] };
      folder.folders.set(part, next);
      folder = next;
    }
    folder.files.push({ path, name, value, test });
  }
  return nodeOf(top, root, root);
}

function nodeOf(folder: Folder, path: string, name: string): MapNode {
  const [only, ...others] = folder.folders;
  if (path !== "" && only && others.length === 0 && folder.files.length === 0) {
    return nodeOf(only[1], `${path}/${only[0]}`, `${name}/${only[0]}`);
  }
  const folders = [...folder.folders].map(([each, inner]) =>
    nodeOf(inner, path === "" ? each : `${path}/${each}`, each),
  );
  return { path, name, children: [...folders, ...folder.files] };
}
