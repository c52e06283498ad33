/**
 * Packages whose documentation is in another repository, or in a folder with an unusual name, checked in
 * November 2026 against the packages' metadata and the repositories' files. Several folders: the documentation has moved,
 * and earlier versions have it in the older one. If an entry is outdated, dex finds no documents there and reports it.
 * The setting `docs.catalogue` adds entries or replaces them.
 */

export interface KnownDocs {
  repository: string;
  /** Folders in it. */
  paths: readonly string[];
  /**
   * `tag`: the repository tags the package's versions. `branch`: its default branch documents the latest version, so an
   * older one is documented by an earlier commit.
   */
  versions: "tag" | "branch";
}

const GITHUB = "https://github.com/";

const KNOWN: Readonly<Record<string, KnownDocs>> = {
  react: branch("reactjs/react.dev", "src/content"),
  "react-dom": branch("reactjs/react.dev", "src/content"),
  vue: branch("vuejs/docs", "src"),
  express: branch("expressjs/expressjs.com", "src/content", "en", "_includes/api/en"),
  "@angular/core": tag("angular/angular", "adev/src/content"),
  "@angular/router": tag("angular/angular", "adev/src/content"),
  "@angular/forms": tag("angular/angular", "adev/src/content"),
  typescript: branch("microsoft/TypeScript-Website", "packages/documentation/copy/en"),
  webpack: branch("webpack/webpack.js.org", "src/content"),
  tailwindcss: branch("tailwindlabs/tailwindcss.com", "src/docs"),
  "react-native": branch("facebook/react-native-website", "docs"),
  expo: branch("expo/expo", "docs/pages"),
  astro: branch("withastro/docs", "src/content/docs/en"),
  prisma: branch("prisma/docs", "apps/docs/content/docs", "content"),
  "@prisma/client": branch("prisma/docs", "apps/docs/content/docs", "content"),
  sequelize: branch("sequelize/website", "docs"),
  "@nestjs/core": branch("nestjs/docs.nestjs.com", "content"),
  "@nestjs/common": branch("nestjs/docs.nestjs.com", "content"),
  "socket.io": branch("socketio/socket.io-website", "docs"),
  "socket.io-client": branch("socketio/socket.io-website", "docs"),
  cypress: branch("cypress-io/cypress-documentation", "docs"),
  "@babel/core": branch("babel/website", "docs"),
  "solid-js": branch("solidjs/solid-docs", "src/routes"),
  preact: branch("preactjs/preact-www", "content/en"),
  hono: branch("honojs/website", "docs"),
  elysia: branch("elysiajs/documentation", "docs"),
  "drizzle-orm": branch("drizzle-team/drizzle-orm-docs", "src/content/docs"),
  "htmx.org": tag("bigskysoftware/htmx", "www/src/content", "www/content"),
  alpinejs: tag("alpinejs/alpine", "packages/docs/src/en"),
  lit: branch("lit/lit.dev", "packages/lit-dev-content/site/docs"),
};

export function knownDocs(name: string): KnownDocs | undefined {
  return Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
}

function branch(repository: string, ...paths: string[]): KnownDocs {
  return { repository: `${GITHUB}${repository}`, paths, versions: "branch" };
}

function tag(repository: string, ...paths: string[]): KnownDocs {
  return { repository: `${GITHUB}${repository}`, paths, versions: "tag" };
}
