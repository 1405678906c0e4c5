import { useTexts } from "../kernel/texts.ts";

/** What a link shows to somebody without an account. */
export function Page() {
  const t = useTexts("share");
  return <main>{t("share.visitor.preparing")}</main>;
}
