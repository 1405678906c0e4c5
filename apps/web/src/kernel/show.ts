import { NoAnswer, RefusedAnswer } from "./refused.ts";
import { createStore } from "./store.ts";
import { say } from "./texts.ts";
import { toast } from "./toast.ts";

/** Set while the page requires the user to sign in again; null otherwise. */
export const signInAgain = createStore<RefusedAnswer | null>(null);

/**
 * Shows the reason of a failed call as the refusal's row says. A form that shows refusals beside its fields, or a page
 * that shows them in its place, names itself in `shownBy`; everything else becomes a toast, so that nothing fails
 * silently.
 */
export function show(error: unknown, shownBy?: "form" | "page"): void {
  if (error instanceof DOMException && error.name === "AbortError") return;
  if (error instanceof NoAnswer) return toast("error", say(error.late ? "common.timeout" : "common.network"));
  if (!(error instanceof RefusedAnswer)) {
    console.error(error);
    return toast("error", say("common.unexpected"));
  }
  if (error.show === "nothing" || (shownBy !== undefined && error.show === shownBy)) return;
  if (error.show === "signInAgain") {
    if (signInAgain.get()) return;
    signInAgain.set(error);
  }
  toast("error", error.msg || say("common.error"), error.requestId);
}
