import { IconArrowLeft, IconDownload, IconLogout } from "@tabler/icons-react";
import { useState } from "react";
import type { Output } from "@arcada/contract/kernel/call";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { sharedStudyCalls } from "@arcada/contract/study/shared-study.calls";
import { showTimeWithZone } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { useCommand } from "../../data/use-command.ts";
import { Watermark } from "../../share/watermark.tsx";
import { QueryResult } from "../../ui/query-result.tsx";
import { BusyState } from "../../ui/busy-state.tsx";
import { Logo } from "../../ui/logo.tsx";
import { ViewerHeaderButton, ViewerPageFrame } from "../../viewer/ui/page/viewer-page-frame.tsx";
import { StudyViewer } from "../../viewer/study-viewer.tsx";
import classes from "./shared-study.module.css";

export type GuestSession = Output<typeof shareCalls.visit>;

interface Props {
  guestSession: GuestSession;
  studyId?: string;
  /** The image that is shown first. */
  first?: string | undefined;
  onLeave: () => void;
  /** Returns from a study of an order to the order. */
  onBack?: () => void;
}

const pollMs = 3000;

/** The study that a link shows, or one of the order that it shows. */
export function SharedStudy({ guestSession, studyId = guestSession.thingId, first, onLeave, onBack }: Props) {
  const t = useTexts("share", "viewer");
  const [item, setItem] = useState<string | undefined>(first);
  const [isReady, setReady] = useState(false);
  const query = useCall(sharedStudyCalls.study, { id: studyId }, isReady ? {} : { pollMs: pollMs });
  if (!isReady && query.data?.state === "ready") setReady(true);
  return (
    <QueryResult of={query} loading={<BusyState />}>
      {(study) => (
        <main>
          <ViewerPageFrame
            back={
              onBack ? (
                <ViewerHeaderButton label={t("share.visitor.toOrder")} icon={IconArrowLeft} onPress={onBack} />
              ) : (
                <Logo light iconOnly />
              )
            }
            title={`${guestSession.nameless ? t("share.visitor.namelessTitle") : study.patientName} · ${t(`viewer.studyKind.${study.kind}`)}`}
            text={[
              t("share.visitor.until", { time: showTimeWithZone(guestSession.until) }),
              guestSession.institution,
            ].join(" · ")}
            actions={!onBack && <Actions guestSession={guestSession} onLeave={onLeave} />}
          >
            <div className={classes.stage}>
              <StudyViewer
                study={study}
                requestedId={item}
                preferVolume={study.kind === "ct"}
                onChoose={setItem}
                renew={async () => (await query.refetch()).data ?? null}
                isShared
              />
              <Watermark
                text={`${t("share.visitor.watermark", { label: guestSession.label })} · ${guestSession.institution}`}
              />
            </div>
          </ViewerPageFrame>
        </main>
      )}
    </QueryResult>
  );
}

function Actions({ guestSession, onLeave }: { guestSession: GuestSession; onLeave: () => void }) {
  const t = useTexts("share");
  const download = useCommand(sharedStudyCalls.download);
  const leave = useCommand(shareCalls.leave);
  const startDownload = async () => {
    const done = await download.run({ id: guestSession.thingId });
    if (done) location.assign(done.data.url);
  };
  return (
    <>
      {guestSession.mayDownload && (
        <ViewerHeaderButton
          label={t("share.visitor.download")}
          icon={IconDownload}
          onPress={() => void startDownload()}
        />
      )}
      <ViewerHeaderButton
        label={t("share.visitor.leave")}
        icon={IconLogout}
        onPress={() => void leave.run(null).then(onLeave)}
      />
    </>
  );
}
