/** Imports of Rust: module paths from the crate root, from the file's own module, or from its parent. */
import type { ImportFact } from "../facts.ts";
import { folderOf, type ImportTarget, type ModuleResolver, type ProjectFiles } from "./module.ts";

export function rustModules({ paths }: ProjectFiles): ModuleResolver {
  /** The source folder of the crate. */
  function crateOf(path: string): string {
    for (let at = folderOf(path); ; at = folderOf(at)) {
      const inside = at === "" ? "" : `${at}/`;
      if (paths.has(`${inside}lib.rs`) || paths.has(`${inside}main.rs`)) return at;
      if (at === "") return folderOf(path);
    }
  }

  /** Module names from the crate root down to the file's own. */
  function moduleOf(path: string, crate: string): string[] {
    const inside = crate === "" ? path : path.slice(crate.length + 1);
    const parts = inside.replace(/\.rs$/, "").split("/");
    if (["mod", "lib", "main"].includes(parts.at(-1) ?? "")) parts.pop();
    return parts;
  }

  function fileOf(crate: string, parts: readonly string[]): string | undefined {
    const place = [crate, ...parts].filter((part) => part !== "").join("/");
    const inside = place === "" ? "" : `${place}/`;
    const own = parts.length === 0 ? [`${inside}lib.rs`, `${inside}main.rs`] : [`${place}.rs`, `${inside}mod.rs`];
    return own.find((path) => paths.has(path));
  }

  function resolve(from: string, { source, name, star }: ImportFact): ImportTarget {
    const crate = crateOf(from);
    const segments = source.split("::").filter(Boolean);
    const at = moduleOf(from, crate);
    const relative = ["crate", "self", "super"].includes(segments[0] ?? "");
    if (segments[0] === "crate") at.splice(0);
    while (["crate", "self", "super"].includes(segments[0] ?? "")) if (segments.shift() === "super") at.pop();
    const full = [...at, ...segments];
    const module = fileOf(crate, star ? full : [...full, name]);
    if (module !== undefined) return { kind: "file", path: module, name: "*" };
    const file = fileOf(crate, full);
    if (file !== undefined && (relative || segments.length > 0)) return { kind: "file", path: file, name };
    // The last segment may be a type; its names are reached through it.
    const above = fileOf(crate, full.slice(0, -1));
    if (above !== undefined && relative && full.length > 0)
      return { kind: "file", path: above, name: full.at(-1) ?? name };
    return relative ? { kind: "missing" } : { kind: "external", package: segments[0] ?? name };
  }

  return { resolve, shape: "" };
}
