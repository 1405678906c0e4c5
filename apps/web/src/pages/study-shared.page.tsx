import { useState } from "react";
import { IconDownload, IconLogout } from "@tabler/icons-react";
import type { Output } from "@arcada/contract/kernel/call";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { sharedStudyCalls } from "@arcada/contract/study/shared.calls";
import { useTitle } from "../account/use-title.ts";
import { showTime } from "../kernel/format.ts";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { useCommand } from "../kernel/use-command.ts";
import { ShareDoor, ShareGone, VisitOver } from "../share/share-door.tsx";
import { keepVisit, takeSecret, takeVisit } from "../share/visit-session.ts";
import { Watermark } from "../share/watermark.tsx";
import { Answer } from "../ui/answer.tsx";
import { BusyState } from "../ui/busy-state.tsx";
import { Logo } from "../ui/logo.tsx";
import { ErrorState } from "../ui/states.tsx";
import { RoomButton, ViewerRoom } from "../viewer/frame/room.tsx";
import { StudyViewer } from "../viewer/study-viewer.tsx";
import classes from "./study-shared.module.css";

/** What a link shows to somebody without an account. */
export function Page() {
  const t = useTexts("shell");
  useTitle(t("shell.screen.studyShared"));
  const [secret] = useState(takeSecret);
  const [isIn, setIn] = useState(() => takeVisit() !== "");
  const [wasLeft, setLeft] = useState(false);
  const end = () => {
    keepVisit("");
    setIn(false);
  };
  if (wasLeft) return <VisitOver wasLeft onAgain={() => setLeft(false)} />;
  if (!isIn) return <ShareDoor secret={secret} onOpen={() => setIn(true)} />;
  return (
    <Visiting
      onEnd={end}
      onLeave={() => {
        end();
        setLeft(true);
      }}
    />
  );
}

/** The link is asked about again and again: a cancelled one takes the pictures from the screen. */
const askMs = 1000;
const readyMs = 3000;

function Visiting({ onEnd, onLeave }: { onEnd: () => void; onLeave: () => void }) {
  const query = useCall(shareCalls.visit, null, { every: askMs });
  if (query.error?.name === "shareGone") return <ShareGone />;
  if (query.error?.name === "shareVisitOver") return <VisitOver wasLeft={false} onAgain={onEnd} />;
  if (!query.data) return query.isPending ? <BusyState /> : <ErrorState retry={() => void query.refetch()} />;
  return <SharedStudy visit={query.data} onLeave={onLeave} />;
}

type Visit = Output<typeof shareCalls.visit>;

function SharedStudy({ visit, onLeave }: { visit: Visit; onLeave: () => void }) {
  const t = useTexts("share", "viewer");
  const [item, setItem] = useState<string>();
  const [isReady, setReady] = useState(false);
  const query = useCall(sharedStudyCalls.study, { id: visit.thingId }, isReady ? {} : { every: readyMs });
  if (!isReady && query.data?.state === "ready") setReady(true);
  return (
    <Answer of={query} waiting={<BusyState />}>
      {(study) => (
        <main>
          <ViewerRoom
            back={<Logo light bare />}
            title={`${visit.nameless ? t("share.visitor.namelessTitle") : study.patientName} · ${t(`viewer.studyKind.${study.kind}`)}`}
            text={[visit.institution, t("share.visitor.until", { time: showTime(visit.until) })].join(" · ")}
            actions={<Actions visit={visit} onLeave={onLeave} />}
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
