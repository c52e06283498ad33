/**
 * The proxy for a request, from HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Pure. Lower-case names take precedence, as in other
 * programs.
 */
import { bareHost } from "./addresses.ts";

export function proxyFor(url: URL, vars: NodeJS.ProcessEnv): string | undefined {
  const scheme = url.protocol === "https:" ? "https" : "http";
  const proxy = vars[`${scheme}_proxy`] || vars[`${scheme.toUpperCase()}_PROXY`];
  if (!proxy || !URL.canParse(proxy) || !/^https?:$/.test(new URL(proxy).protocol)) return undefined;
  return goesDirect(url, vars.no_proxy || vars.NO_PROXY || "") ? undefined : proxy;
}

/** `*`, `example.com` (and its subdomains), `.example.com`, `*.example.com`, each optionally with a port; addresses. */
function goesDirect(url: URL, list: string): boolean {
  const host = bareHost(url.hostname).toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = entry, wanted] = /^(.*?)(?::(\d{1,5}))?$/.exec(entry) ?? [];
      if (wanted !== undefined && wanted !== port) return false;
      const bare = bareHost(name.replace(/^\*?\./, ""));
      return bare !== "" && (host === bare || host.endsWith(`.${bare}`));
    });
}
