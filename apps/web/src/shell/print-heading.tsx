import { useSyncExternalStore } from "react";
import { useCurrentUser } from "../session/current-user.ts";
import { formatDateTime } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import "./print.css";

/** The line above a printed page: the organisation, and who printed it when. The page's own heading names the patient. */
export function PrintHeading() {
  const t = useTexts("shell");
  const user = useCurrentUser();
  const printedAt = useSyncExternalStore(subscribeToPrinting, getPrintedAt);
  if (!user) return null;
  return (
    <div className="arcada-print-heading" aria-hidden>
      <span>{user.institution?.name ?? t("common.product")}</span>
      <span>
        {t("shell.printed", { name: user.nickName, time: formatDateTime(new Date(printedAt).toISOString()) })}
      </span>
    </div>
  );
}

let printedAt = Date.now();
const getPrintedAt = (): number => printedAt;

/** Paper is light: while a page is printed it has the light colours, also in dark mode. */
function subscribeToPrinting(onChange: () => void): () => void {
  const root = document.documentElement;
  let scheme: string | null = null;
  const begin = () => {
    scheme = root.getAttribute(schemeAttribute);
    root.setAttribute(schemeAttribute, "light");
    printedAt = Date.now();
    onChange();
  };
  const end = () => {
    if (scheme !== null) root.setAttribute(schemeAttribute, scheme);
    scheme = null;
  };
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  return () => {
    removeEventListener("beforeprint", begin);
    removeEventListener("afterprint", end);
  };
}
const schemeAttribute = "data-mantine-color-scheme";
