import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useRole } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { PageBody, Section } from "../ui/page.tsx";
import { NotAllowedState } from "../ui/page-states.tsx";
import { WorkorderDetail } from "./workorder-detail.tsx";
import { WorkorderForm } from "./workorder-form.tsx";
import { WorkorderList } from "./workorder-list.tsx";

/** A clinic reports and follows faults: the list, `?id=` one order, `?new=1&device=` a report. */
export function Page() {
  const t = useTexts("shell", "workorder");
  const { id, new: isNew, device } = useSearchParams();
  const setSearch = useSetSearchParams();
  const mayRead = useCanAccess(workorderCalls.list);
  const isClinic = useRole() === "clinicAdmin";
  // Everybody may open this page by a link; labs have no devices.
  if (!mayRead) return <NotAllowedState />;
  if (id) return <WorkorderDetail key={id} id={id} />;
  if (isNew && isClinic)
    return (
      <PageBody title={t("workorder.form.clinicTitle")} width="reading">
        <Section>
          <WorkorderForm
            isClinic
            clinic={undefined}
            device={device}
            onCreated={(order) => setSearch({ id: order.id, new: undefined, device: undefined })}
          />
        </Section>
      </PageBody>
    );
  return (
    <PageBody
      title={t("shell.screen.workOrder")}
      actions={
        isClinic && (
          <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setSearch({ new: "1" })}>
            {t("workorder.form.clinicTitle")}
          </Button>
        )
      }
    >
      <Section flush>
        <WorkorderList filter={{}} screen="workOrder" empty={t("workorder.list.empty")} />
      </Section>
    </PageBody>
  );
}
