/** Finds the route of an address, and the parts of the path that the route names. */

export interface RouteMatch<R> {
  route: R;
  params: Readonly<Record<string, string>>;
}

/**
 * The first route whose pattern matches: `/c/:id/:index?` has an optional last part, and `/code/:path*` takes all the rest.
 */
export function matchRoute<R extends { path: string }>(routes: readonly R[], path: string): RouteMatch<R> | undefined {
  const given = path.split("/").slice(1);
  for (const route of routes) {
    const params = matchParts(route.path.split("/").slice(1), given);
    if (params) return { route, params };
  }
  return undefined;
}

function matchParts(pattern: readonly string[], given: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  const isRest = pattern.at(-1)?.endsWith("*") === true;
  if (!isRest && given.length > pattern.length) return undefined;
  for (const [at, part] of pattern.entries()) {
    const value = part.endsWith("*") ? given.slice(at).join("/") : given[at];
    if (!part.startsWith(":")) {
      if (value !== part) return undefined;
      continue;
    }
    if (value === undefined && !/[?*]$/.test(part)) return undefined;
    const decoded = decode(value ?? "");
    if (decoded === undefined) return undefined;
    params[part.replace(/^:|[?*]$/g, "")] = decoded;
  }
  return params;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
