import { NoResponseError, RefusalError } from "./call-errors.ts";
import { createStore } from "../browser/external-store.ts";
import { getText } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";

/** Set while the page requires the user to sign in again; null otherwise. */
export const signInAgainRefusal = createStore<RefusalError | null>(null);

/**
 * Shows the reason of a failed call in the way that the refusal's table entry specifies. A form that shows refusals
 * beside its fields, or a page that shows them in its content, names itself in `shownBy`; everything else becomes a
 * toast, so that nothing fails silently.
 */
export function showError(error: unknown, shownBy?: "form" | "page"): void {
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (error instanceof NoResponseError)
    return toast(
      "error",
      getText(error.isOfflineChange ? "common.offlineChange" : error.isTimeout ? "common.timeout" : "common.network"),
    );
  if (!(error instanceof RefusalError)) {
    console.error(error);
    return toast("error", getText("common.unexpected"));
  }
  if (error.show === "nothing" || (shownBy !== undefined && error.show === shownBy)) return;
  if (error.show === "signInAgain") {
    if (signInAgainRefusal.get()) return;
    signInAgainRefusal.set(error);
  }
  toast("error", error.msg || getText("common.error"), error.requestId);
}
