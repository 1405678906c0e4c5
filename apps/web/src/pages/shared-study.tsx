import { IconArrowLeft, IconDownload, IconLogout } from "@tabler/icons-react";
import { useState } from "react";
import type { Output } from "@arcada/contract/kernel/call";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { sharedStudyCalls } from "@arcada/contract/study/shared.calls";
import { showTimeWithZone } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { useCommand } from "../kernel/use-command.ts";
import { Watermark } from "../share/watermark.tsx";
import { Answer } from "../ui/answer.tsx";
import { BusyState } from "../ui/busy-state.tsx";
import { Logo } from "../ui/logo.tsx";
import { RoomButton, ViewerRoom } from "../viewer/frame/room.tsx";
import { StudyViewer } from "../viewer/study-viewer.tsx";
import classes from "./study-shared.module.css";

export type Visit = Output<typeof shareCalls.visit>;

interface Props {
  visit: Visit;
  studyId?: string;
  /** The image that is shown first. */
  first?: string | undefined;
  onLeave: () => void;
  /** Returns from a study of an order to the order. */
  onBack?: () => void;
}

const readyMs = 3000;

/** The study that a link shows, or one of the order that it shows. */
export function SharedStudy({ visit, studyId = visit.thingId, first, onLeave, onBack }: Props) {
  const t = useTexts("share", "viewer");
  const [item, setItem] = useState<string | undefined>(first);
  const [isReady, setReady] = useState(false);
  const query = useCall(sharedStudyCalls.study, { id: studyId }, isReady ? {} : { every: readyMs });
  if (!isReady && query.data?.state === "ready") setReady(true);
  return (
    <Answer of={query} waiting={<BusyState />}>
      {(study) => (
        <main>
          <ViewerRoom
            back={
              onBack ? (
                <RoomButton label={t("share.visitor.toOrder")} icon={IconArrowLeft} onPress={onBack} />
              ) : (
                <Logo light bare />
              )
            }
            title={`${visit.nameless ? t("share.visitor.namelessTitle") : study.patientName} · ${t(`viewer.studyKind.${study.kind}`)}`}
            text={[visit.institution, t("share.visitor.until", { time: showTimeWithZone(visit.until) })].join(" · ")}
            actions={!onBack && <Actions visit={visit} onLeave={onLeave} />}
          >
            <div className={classes.stage}>
              <StudyViewer
                study={study}
                named={item}
                preferVolume={study.kind === "ct"}
                onChoose={setItem}
                renew={async () => (await query.refetch()).data ?? null}
                isShared
              />
              <Watermark text={`${t("share.visitor.watermark", { label: visit.label })} · ${visit.institution}`} />
            </div>
          </ViewerRoom>
        </main>
      )}
    </Answer>
  );
}

function Actions({ visit, onLeave }: { visit: Visit; onLeave: () => void }) {
  const t = useTexts("share");
  const download = useCommand(sharedStudyCalls.download);
  const leave = useCommand(shareCalls.leave);
  const take = async () => {
    const done = await download.run({ id: visit.thingId });
    if (done) location.assign(done.data.url);
  };
  return (
    <>
      {visit.mayDownload && (
        <RoomButton label={t("share.visitor.download")} icon={IconDownload} onPress={() => void take()} />
      )}
      <RoomButton
        label={t("share.visitor.leave")}
        icon={IconLogout}
        onPress={() => void leave.run(null).then(onLeave)}
      />
    </>
  );
}
