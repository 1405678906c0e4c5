import { useTexts } from "../i18n/texts.ts";
import { PageBody, Section } from "../ui/page.tsx";
import { WorkorderList } from "./workorder-list.tsx";

/** The work orders that the user reported or handed in for acceptance. */
export function Page() {
  const t = useTexts("workorder");
  return (
    <PageBody title={t("workorder.list.reported")}>
      <Section flush>
        <WorkorderList
          filter={{ reported: "true" }}
          screen="workorderDetail"
          empty={t("workorder.list.emptyReported")}
        />
      </Section>
    </PageBody>
  );
}
