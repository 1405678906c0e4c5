import { useReducer } from "react";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import { studyCalls, type Instance, type Study } from "@arcada/contract/study/study.calls";
import { IconPhoto } from "@tabler/icons-react";
import { clinicRoles } from "@arcada/contract/kernel/roles";
import { showTime } from "../../kernel/format.ts";
import { useGo, useSearch } from "../../kernel/link.tsx";
import { useMay } from "../../kernel/permit.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { useCall } from "../../kernel/use-call.ts";
import { Answer } from "../../ui/answer.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { RoomBack, RoomButton, ViewerRoom } from "../frame/room.tsx";
import { Failed, Loading } from "../frame/states.tsx";
import { usePicture } from "../picture/use-picture.ts";
import { itemsOf } from "../study-items.ts";
import { CephRoom } from "./ceph-room.tsx";

/** A cephalogram to be traced: `study` in the address, the image as `item`, an earlier version as `version`. */
export function CephPage() {
  const t = useTexts("ceph", "viewer", "study");
  const { study: id } = useSearch();
  if (!id) return <EmptyState title={t("ceph.noFilm")} />;
  return <NamedStudy id={id} />;
}

function NamedStudy({ id }: { id: string }) {
  const t = useTexts("ceph", "viewer", "study");
  const query = useCall(studyCalls.detail, { id });
  const { item } = useSearch();
  return (
    <Answer of={query}>
      {(study) => {
        const pictures = picturesOf(study);
        const instance = pictures.find((one) => one.id === item) ?? pictures[0];
        return (
          <ViewerRoom
            back={<BackLink study={study} />}
            title={`${study.patientName} · ${t("ceph.title")}`}
            text={study.takenAt ? showTime(study.takenAt) : t("viewer.undated")}
            actions={instance && <ToViewer study={study} instance={instance} />}
          >
            {instance ? (
              <Film
                key={instance.id}
                study={study}
                instance={instance}
                renew={async () =>
                  picturesOf((await query.refetch()).data).find((one) => one.id === instance.id)?.picture ?? null
                }
              />
            ) : (
              <Failed label={t("ceph.noPicture")} />
            )}
          </ViewerRoom>
        );
      }}
    </Answer>
  );
}

const picturesOf = (study: Study | undefined): Instance[] =>
  study
    ? itemsOf(study).flatMap((item) => (item.kind === "picture" && item.instance.picture ? [item.instance] : []))
    : [];

interface FilmProps {
  study: Study;
  instance: Instance;
  renew: () => Promise<Instance["picture"]>;
}

function Film({ study, instance, renew }: FilmProps) {
  const t = useTexts("ceph", "viewer");
  const { version } = useSearch();
  const load = usePicture(instance, 0, renew);
  const film = { studyId: study.id, instanceId: instance.id };
  const [taken, takeNewer] = useReducer((count: number) => count + 1, 0);
  const query = useCall(cephCalls.open, { ...film, ...(version && { version: Number(version) }) });
  if (query.error !== null && !query.data)
    return <Failed label={t("viewer.failed.network")} onAgain={() => void query.refetch()} />;
  if (load.state === "failed") return <Failed label={t(`viewer.failed.${load.reason}`)} onAgain={load.again} />;
  if (load.state === "loading") return <Loading label={t("viewer.loading.picture")} part={load.part} />;
  if (!query.data) return <Loading label={t("viewer.loading.picture")} />;
  return (
    <CephRoom
      // The key changes only when the user takes the newer version: what another user has saved in the meantime appears
      // on request.
      key={`${version} ${taken}`}
      film={film}
      instance={instance}
      loaded={load.loaded}
      opened={query.data}
      isEarlier={version !== undefined}
      onStale={() => void query.refetch().then(takeNewer)}
    />
  );
}

function ToViewer({ study, instance }: { study: Study; instance: Instance }) {
  const t = useTexts("ceph");
  const go = useGo();
  const { order } = useSearch();
  return (
    <RoomButton
      label={t("ceph.toViewer")}
      icon={IconPhoto}
      onPress={() => go("viewer", { study: study.id, item: instance.id, order })}
    />
  );
}

/** Links back to the order or the patient from which the radiograph was opened. */
function BackLink({ study }: { study: Study }) {
  const t = useTexts("viewer");
  const { order } = useSearch();
  const isClinic = useMay({ access: clinicRoles });
  if (order) return <RoomBack screen="orderDetail" search={{ id: order }} label={t("viewer.backToOrder")} />;
  if (isClinic && study.patientId !== null)
    return (
      <RoomBack
        screen="patientDetail"
        search={{ id: study.patientId, tab: "ceph" }}
        label={t("viewer.backToPatient")}
      />
    );
  return isClinic ? (
    <RoomBack screen="inbox" search={{}} label={t("viewer.backToInbox")} />
  ) : (
    <RoomBack screen="orderList" search={{}} label={t("viewer.backToOrders")} />
  );
}
