/** The name of a collection whose source was given without one: of its folder, repository, file or host. */
import { dirname } from "node:path";
import { lastName } from "../../kernel/files/paths.ts";
import type { CollectionSource } from "./source.ts";

/** Names of folders that do not tell what is documented; the parent folder does. */
const PLAIN_NAME = /^(?:docs?|documentation|content|guides?|manual|pages|site|src|website|www)$/i;
const ENDINGS = /(?:\.(?:git|tar\.gz|tgz|tar|zip|json))+$/i;

/** Whether it can only be a path or an address, and not the name of a package. */
export function isPlainlySource(typed: string): boolean {
  return /^(?:\.{1,2}$|\.{0,2}[\\/]|~[\\/]|[A-Za-z]:[\\/]|https?:\/\/|file:\/\/|git(?:\+|:\/\/|@))/i.test(typed);
}

export function nameOf(source: CollectionSource): string {
  return placeOf(source)
    .replace(ENDINGS, "")
    .replaceAll(/[^A-Za-z0-9@._-]+/g, "-")
    .replace(/^[^A-Za-z0-9@]+/, "")
    .slice(0, 100);
}

function placeOf(source: CollectionSource): string {
  if (source.kind === "npm") return source.name;
  if (source.kind === "folder") return telling(source.root);
  if (source.kind === "site") return new URL(source.url).hostname.replace(/^www\./, "");
  return telling(source.kind === "git" ? source.url : source.at);
}

function telling(path: string): string {
  const name = lastName(path);
  return PLAIN_NAME.test(name) ? lastName(dirname(path)) || name : name;
}
