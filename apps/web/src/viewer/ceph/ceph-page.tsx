import { useReducer } from "react";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import { type Instance, type Study } from "@arcada/contract/study/study.schema";
import { clinicRoles } from "@arcada/contract/kernel/roles";
import { formatTimestamp } from "../../i18n/format.ts";
import { useSearchParams } from "../../browser/navigation.tsx";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { EmptyState } from "../../ui/page-states.tsx";
import { ViewerBackLink, ViewerPageFrame } from "../ui/page/viewer-page-frame.tsx";
import { Failed, Loading } from "../ui/page/status-messages.tsx";
import { useLoadedImage } from "../image/loading/use-loaded-image.ts";
import { listStudyItems } from "../study-items.ts";
import { CephWorkspace } from "./ceph-workspace.tsx";

/** A cephalogram to be traced: `study` in the address, the image as `item`, an earlier version as `version`. */
export function CephPage() {
  const t = useTexts("ceph", "viewer", "study");
  const { study: id } = useSearchParams();
  if (!id) return <EmptyState title={t("ceph.noFilm")} />;
  return <StudyLoader id={id} />;
}

function StudyLoader({ id }: { id: string }) {
  const t = useTexts("ceph", "viewer", "study");
  const query = useCall(studyCalls.detail, { id });
  const { item } = useSearchParams();
  return (
    <QueryResult of={query}>
      {(study) => {
        const images = listImages(study);
        const instance = images.find((one) => one.id === item) ?? images[0];
        return (
          <ViewerPageFrame
            back={<BackLink study={study} />}
            title={`${study.patientName} · ${t("ceph.title")}`}
            text={study.takenAt ? formatTimestamp(study.takenAt) : t("viewer.undated")}
          >
            {instance ? (
              <Radiograph
                key={instance.id}
                study={study}
                instance={instance}
                renew={async () =>
                  listImages((await query.refetch()).data).find((one) => one.id === instance.id)?.picture ?? null
                }
              />
            ) : (
              <Failed label={t("ceph.noPicture")} />
            )}
          </ViewerPageFrame>
        );
      }}
    </QueryResult>
  );
}

const listImages = (study: Study | undefined): Instance[] =>
  study
    ? listStudyItems(study).flatMap((item) => (item.kind === "picture" && item.instance.picture ? [item.instance] : []))
    : [];

interface RadiographProps {
  study: Study;
  instance: Instance;
  renew: () => Promise<Instance["picture"]>;
}

function Radiograph({ study, instance, renew }: RadiographProps) {
  const t = useTexts("ceph", "viewer");
  const { version } = useSearchParams();
  const load = useLoadedImage(instance, 0, renew);
  const radiograph = { studyId: study.id, instanceId: instance.id };
  const [reloadCount, showNewer] = useReducer((count: number) => count + 1, 0);
  const query = useCall(cephCalls.open, { ...radiograph, ...(version && { version: Number(version) }) });
  if (query.error !== null && !query.data)
    return <Failed label={t("viewer.failed.network")} onRetry={() => void query.refetch()} />;
  if (load.state === "failed") return <Failed label={t(`viewer.failed.${load.reason}`)} onRetry={load.retry} />;
  if (load.state === "loading") return <Loading label={t("viewer.loading.picture")} part={load.progress} />;
  if (!query.data) return <Loading label={t("viewer.loading.picture")} />;
  return (
    <CephWorkspace
      // The key changes only when the user takes the newer version: what another user has saved in the meantime appears
      // on request.
      key={`${version} ${reloadCount}`}
      radiograph={radiograph}
      instance={instance}
      loaded={load.loaded}
      record={query.data}
      isEarlier={version !== undefined}
      onStale={() => void query.refetch().then(showNewer)}
    />
  );
}

/** Links back to the order or the patient from which the radiograph was opened. */
function BackLink({ study }: { study: Study }) {
  const t = useTexts("viewer");
  const { order } = useSearchParams();
  const isClinic = useCanAccess({ access: clinicRoles });
  if (order) return <ViewerBackLink screen="orderDetail" search={{ id: order }} label={t("viewer.backToOrder")} />;
  if (isClinic && study.patientId !== null)
    return (
      <ViewerBackLink
        screen="patientDetail"
        search={{ id: study.patientId, tab: "ceph" }}
        label={t("viewer.backToPatient")}
      />
    );
  return isClinic ? (
    <ViewerBackLink screen="inbox" search={{}} label={t("viewer.backToInbox")} />
  ) : (
    <ViewerBackLink screen="orderList" search={{}} label={t("viewer.backToOrders")} />
  );
}
