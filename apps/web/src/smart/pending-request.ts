import { authorizationRequest } from "@arcada/contract/smart/smart.calls";
import type { AuthorizationRequest } from "@arcada/contract/smart/smart.calls";

/** The tab keeps the request of an app during the sign-in, which leads to a fixed address and not to a given one. */
const storageKey = "arcada.appRequest";
const keptMs = 15 * 60_000;

/** Takes the request from the address, which is cleared; null if it is incomplete. */
export function takeRequestFromAddress(): AuthorizationRequest | null {
  const { data } = authorizationRequest.safeParse(Object.fromEntries(new URLSearchParams(location.search)));
  if (!data) return null;
  storeRequest(data);
  history.replaceState(history.state, "", location.pathname);
  return data;
}

export function readPendingRequest(): AuthorizationRequest | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as {
      request: AuthorizationRequest;
      until: number;
    } | null;
    return kept && kept.until > Date.now() ? kept.request : null;
  } catch {
    return null;
  }
}

export function forgetPendingRequest(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Storage is refused: nothing was kept.
  }
}

function storeRequest(request: AuthorizationRequest): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify({ request, until: Date.now() + keptMs }));
  } catch {
    // Storage is refused: the person starts again in the app.
  }
}
