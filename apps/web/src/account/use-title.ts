import { useEffect } from "react";
import { useTexts } from "../kernel/texts.ts";

/** Names the browser's tab, on pages that stand outside the layout. */
export function useTitle(title: string): void {
  const t = useTexts();
  useEffect(() => {
    document.title = `${title} · ${t("common.product")}`;
  }, [title, t]);
}
