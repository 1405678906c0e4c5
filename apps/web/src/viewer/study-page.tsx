import { useDisclosure } from "@mantine/hooks";
import { IconColumns, IconInfoCircle } from "@tabler/icons-react";
import { lazy, Suspense, type ReactNode } from "react";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { type Study } from "@arcada/contract/study/study.schema";
import { isImageKind } from "@arcada/contract/study/study.rules";
import { clinicRoles } from "@arcada/contract/kernel/roles";
import { formatTimestamp } from "../i18n/format.ts";
import { useOpenScreen, useSearchParams, useSetSearchParams } from "../browser/navigation.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { ViewerBackLink, ViewerHeaderButton, ViewerPageFrame } from "./ui/page/viewer-page-frame.tsx";
import { PatientStudyStrip } from "./patient-study-strip.tsx";
import { StudyViewer } from "./study-viewer.tsx";

const StudyHeaderDrawer = lazy(async () => ({
  default: (await import("./study-header-drawer.tsx")).StudyHeaderDrawer,
}));

interface Props {
  preferVolume: boolean;
  /** Actions of other parts of the product on the study. */
  actions?: (study: Study) => ReactNode;
}

/** The page of a study's viewers: `study` in the address, and the shown part as `item` or `series`. */
export function StudyPage(props: Props) {
  const t = useTexts("viewer");
  const { study: id } = useSearchParams();
  if (!id) return <EmptyState title={t("viewer.noStudy")} />;
  return <StudyLoader id={id} {...props} />;
}

function StudyLoader({ id, preferVolume, actions }: Props & { id: string }) {
  const query = useCall(studyCalls.detail, { id, brief: "true" });
  const { item, series } = useSearchParams();
  const setSearch = useSetSearchParams();
  return (
    <QueryResult of={query}>
      {(study) => (
        <StudyPageLayout study={study} actions={actions?.(study)}>
          <StudyViewer
            key={study.id}
            study={study}
            requestedId={item ?? series}
            preferVolume={preferVolume}
            onChoose={(chosen) => setSearch({ item: chosen })}
            renew={async () => (await query.refetch()).data ?? null}
          />
        </StudyPageLayout>
      )}
    </QueryResult>
  );
}

function StudyPageLayout({ study, actions, children }: { study: Study; actions: ReactNode; children: ReactNode }) {
  const t = useTexts("viewer");
  const [isOpen, header] = useDisclosure(false);
  return (
    <ViewerPageFrame
      back={<BackLink study={study} />}
      title={`${study.patientName} · ${t(`viewer.studyKind.${study.kind}`)}`}
      text={[study.takenAt ? formatTimestamp(study.takenAt) : t("viewer.undated"), study.description]
        .filter(Boolean)
        .join(" · ")}
      actions={
        <>
          {actions}
          <CompareLink study={study} />
          <ViewerHeaderButton label={t("viewer.header.title")} icon={IconInfoCircle} onPress={header.open} />
        </>
      }
    >
      {children}
      <PatientStudyStrip study={study} />
      <Suspense>{isOpen && <StudyHeaderDrawer header={study.header} onClose={header.close} />}</Suspense>
    </ViewerPageFrame>
  );
}

/** Links to the comparison with another image of the same patient. */
function CompareLink({ study }: { study: Study }) {
  const t = useTexts("viewer");
  const { item } = useSearchParams();
  const go = useOpenScreen();
  if (!useCanAccess({ access: clinicRoles }) || study.patientId === null || !isImageKind(study.kind)) return null;
  const search = { patient: study.patientId, left: study.id, leftItem: item };
  return (
    <ViewerHeaderButton label={t("viewer.compare.open")} icon={IconColumns} onPress={() => go("compare", search)} />
  );
}

/** Links back to the page from which the study was opened: an order, the patient, or the inbox. */
function BackLink({ study }: { study: Study }) {
  const t = useTexts("viewer");
  const { order } = useSearchParams();
  const isClinic = useCanAccess({ access: clinicRoles });
  const to = order
    ? ({ screen: "orderDetail", search: { id: order }, label: t("viewer.backToOrder") } as const)
    : isClinic && study.patientId !== null
      ? ({ screen: "patientDetail", search: { id: study.patientId }, label: t("viewer.backToPatient") } as const)
      : isClinic
        ? ({ screen: "inbox", search: {}, label: t("viewer.backToInbox") } as const)
        : ({ screen: "orderList", search: {}, label: t("viewer.backToOrders") } as const);
  return <ViewerBackLink {...to} />;
}
