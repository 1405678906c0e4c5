import { getText, translateDynamic } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";

const key = "arcada.said";

/** Passes a flash message to the next page, since this one is being left. `text` may be the key of a text. */
export function setFlashMessage(text: string, kind: "success" | "error" = "success"): void {
  try {
    sessionStorage.setItem(key, `${kind} ${text}`);
  } catch {
    // Storage is refused: the next page shows no message.
  }
}

/** Shows the flash message of the previous page. */
export function showFlashMessage(): void {
  try {
    const stored = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    const [, kind, text] = /^(success|error) (.+)$/s.exec(stored ?? "") ?? [];
    if (text) toast(kind === "error" ? "error" : "success", translateDynamic(getText, text, text));
  } catch {
    // There is no message.
  }
}
