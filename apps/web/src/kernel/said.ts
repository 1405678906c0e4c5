import { say } from "./texts.ts";
import { toast } from "./toast.ts";

const key = "arcada.said";

/** A message that the next page shows: this one is on its way out. `text` may be the key of a text. */
export function sayNext(text: string, kind: "success" | "error" = "success"): void {
  try {
    sessionStorage.setItem(key, `${kind} ${text}`);
  } catch {
    // Storage is refused: then the next page speaks for itself.
  }
}

/** Shows what the page before had to say. */
export function showSaid(): void {
  try {
    const said = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    const [, kind, text] = /^(success|error) (.+)$/s.exec(said ?? "") ?? [];
    if (text) toast(kind === "error" ? "error" : "success", say(text));
  } catch {
    // There is nothing to say.
  }
}
