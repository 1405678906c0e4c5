import { useEffect } from "react";
import { useTexts } from "../../i18n/texts.ts";

/** Sets the title of the browser's tab on pages outside the layout. */
export function useDocumentTitle(title: string): void {
  const t = useTexts();
  useEffect(() => {
    document.title = `${title} · ${t("common.product")}`;
  }, [title, t]);
}
