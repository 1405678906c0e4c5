import { say } from "./texts.ts";
import { toast } from "./toast.ts";

const key = "arcada.said";

/** A message of success that the next page shows: this one is on its way out. */
export function sayNext(text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // Storage is refused: then the next page speaks for itself.
  }
}

/** Shows what the page before had to say. */
export function showSaid(): void {
  try {
    const text = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    if (text) toast("success", say(text));
  } catch {
    // There is nothing to say.
  }
}
