/**
 * The token of the server. It comes once in the fragment of the link that `dex web` prints, and never stays in the address.
 * A link may be of an earlier start: its token is on trial in its own tab until the server has accepted it, and only then
 * replaces the one that all tabs use.
 */
const KEPT = "dex-token";
const ON_TRIAL = "dex-token-on-trial";

/** Takes the token out of the address. */
export function takeToken(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (!token) return;
  tryToken(token);
  history.replaceState(history.state, "", location.pathname + location.search);
}

/** The next request of this tab is sent with this token. */
export function tryToken(token: string): void {
  sessionStorage.setItem(ON_TRIAL, token);
}

/** The token for a request; empty without any. */
export function currentToken(): string {
  return sessionStorage.getItem(ON_TRIAL) ?? localStorage.getItem(KEPT) ?? "";
}

/** Ends the trial of a token that the server has accepted or refused. */
export function judgeToken(token: string, isAccepted: boolean): void {
  if (sessionStorage.getItem(ON_TRIAL) !== token) return;
  if (isAccepted) localStorage.setItem(KEPT, token);
  sessionStorage.removeItem(ON_TRIAL);
}
