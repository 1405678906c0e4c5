import { Tabs, Stack } from "@mantine/core";
import { Suspense, lazy, useEffect, useRef } from "react";
import type { ComponentType } from "react";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import type { Access } from "@arcada/contract/kernel/roles";
import { hasAccess } from "@arcada/contract/kernel/roles";
import { useSearchParams, useSetSearchParams } from "../../browser/navigation.tsx";
import { useRole } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { LoadingState } from "../../ui/page-states.tsx";
import { PatientRecord } from "../../patient/patient-details.tsx";
import { PatientTimeline } from "../../patient/patient-timeline.tsx";
import { PatientCollection } from "./patient-study-collection.tsx";
import type { NameUnder } from "../../i18n/texts.ts";
import classes from "./patient-detail.module.css";

export interface PatientTabProps {
  patient: Patient;
}
interface PatientTab {
  /** The value in the address, and the key in patient.json under `tab`. */
  name: NameUnder<"patient.tab">;
  Content: ComponentType<PatientTabProps>;
  /** The roles or the call that the tab requires. Without it everybody who may see the page sees the tab. */
  to?: { access: Access };
}

const tabs: readonly PatientTab[] = [
  { name: "overview", Content: PatientOverview },
  {
    name: "images",
    Content: lazy(async () => ({ default: (await import("./patient-images.tsx")).PatientImages })),
  },
  {
    name: "chart",
    Content: lazy(async () => ({ default: (await import("./patient-chart-tab.tsx")).PatientChartTab })),
  },
  {
    name: "visits",
    Content: lazy(async () => ({ default: (await import("./patient-record-tabs.tsx")).PatientVisits })),
  },
  {
    name: "analyses",
    Content: lazy(async () => ({ default: (await import("./patient-analyses.tsx")).PatientAnalyses })),
  },
  {
    name: "ceph",
    Content: lazy(async () => ({ default: (await import("./patient-ceph.tsx")).PatientCeph })),
  },
  {
    name: "reports",
    Content: lazy(async () => ({ default: (await import("./patient-reports.tsx")).PatientReports })),
  },
  {
    name: "consents",
    Content: lazy(async () => ({ default: (await import("./patient-record-tabs.tsx")).PatientConsents })),
  },
  {
    name: "looks",
    Content: lazy(async () => ({ default: (await import("./patient-record-tabs.tsx")).PatientAccessLog })),
  },
];

const PatientOrders = lazy(async () => ({
  default: (await import("../../order/list/patient-orders.tsx")).PatientOrders,
}));

/** A patient's latest images, current orders and record. */
function PatientOverview({ patient: { id, name }, patient }: PatientTabProps) {
  return (
    <div className={classes.columns}>
      <Stack gap="lg" miw={0}>
        <PatientCollection patientId={id} patientName={name} />
        <Suspense fallback={<LoadingState lines={4} />}>
          <PatientOrders patientId={id} />
        </Suspense>
      </Stack>
      <Stack gap="lg" miw={0}>
        <PatientRecord patient={patient} />
        <PatientTimeline patientId={id} />
      </Stack>
    </div>
  );
}

/** The parts of a patient's record, one at a time, selected by the address. */
export function PatientTabs({ patient }: PatientTabProps) {
  const t = useTexts("patient");
  const role = useRole();
  const setAddress = useSetSearchParams();
  const { tab: requestedTab } = useSearchParams();
  const open = tabs.filter(({ to }) => !to || hasAccess(to.access, role));
  const { name: active, Content } = open.find(({ name }) => name === requestedTab) ?? open[0]!;
  const list = useRef<HTMLDivElement>(null);
  // On a narrow screen the tabs extend beyond its edge.
  useEffect(() => {
    const chosen = list.current?.querySelector(`[data-name="${active}"]`);
    chosen?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [active]);
  return (
    <Tabs
      value={active}
      onChange={(name) => setAddress({ tab: name === "overview" ? undefined : (name ?? undefined) })}
    >
      <Tabs.List ref={list} aria-label={t("patient.tab.label")} className={classes.tabs}>
        {open.map(({ name }) => (
          <Tabs.Tab key={name} value={name} data-name={name}>
            {t(`patient.tab.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {open.map(({ name }) => (
        <Tabs.Panel key={name} value={name} pt="lg">
          {name === active && (
            <Suspense fallback={<LoadingState lines={9} />}>
              <Content patient={patient} />
            </Suspense>
          )}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
