import { useOpenScreen, useSearchParams } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { PageBody, Section } from "../ui/page.tsx";
import { WorkorderForm } from "./workorder-form.tsx";

/** A new work order, made by after-sales. */
export function Page() {
  const t = useTexts("workorder");
  const go = useOpenScreen();
  const { clinic, device } = useSearchParams();
  return (
    <PageBody title={t("workorder.form.title")} width="reading">
      <Section>
        <WorkorderForm
          isClinic={false}
          clinic={clinic}
          device={device}
          onCreated={({ id }) => go("workorderDetail", { id }, { replace: true })}
        />
      </Section>
    </PageBody>
  );
}
