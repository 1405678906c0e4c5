import { useTexts } from "../kernel/texts.ts";
import { PageBody } from "../ui/page.tsx";

/** Every link of the organisation. */
export function Page() {
  const t = useTexts("share");
  return (
    <PageBody title={t("share.title")} says={t("share.says")}>
      {null}
    </PageBody>
  );
}
