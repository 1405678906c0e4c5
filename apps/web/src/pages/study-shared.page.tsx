import { Suspense, lazy, useEffect, useState } from "react";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { useTitle } from "../account/use-title.ts";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { followZone } from "../kernel/zone.ts";
import { ShareDoor, ShareGone, VisitOver } from "../share/share-door.tsx";
import { keepVisit, takeSecret, takeVisit } from "../share/visit-session.ts";
import { BusyState } from "../ui/busy-state.tsx";
import { ErrorState } from "../ui/states.tsx";
import { SharedStudy } from "./shared-study.tsx";

/** The page that a share link shows to a visitor without an account. */
export function Page() {
  const t = useTexts("shell");
  useTitle(t("shell.screen.studyShared"));
  const [secret] = useState(takeSecret);
  const [isIn, setIn] = useState(() => takeVisit() !== "");
  const [wasLeft, setLeft] = useState(false);
  useEffect(() => {
    // Another link in the same tab differs only in its secret, so the browser does not reload the page.
    const begin = () => location.reload();
    addEventListener("hashchange", begin);
    return () => removeEventListener("hashchange", begin);
  }, []);
  const end = () => {
    keepVisit("");
    followZone(null);
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

/** The link is polled in this interval (ms), so that a cancelled one disappears from the screen. */
const askMs = 1000;

function Visiting({ onEnd, onLeave }: { onEnd: () => void; onLeave: () => void }) {
  const query = useCall(shareCalls.visit, null, { every: askMs });
  if (query.error?.name === "shareGone") return <ShareGone />;
  if (query.error?.name === "shareVisitOver") return <VisitOver wasLeft={false} onAgain={onEnd} />;
  if (!query.data) return query.isPending ? <BusyState /> : <ErrorState retry={() => void query.refetch()} />;
  followZone(query.data);
  if (query.data.kind === "study") return <SharedStudy visit={query.data} onLeave={onLeave} />;
  return (
    <Suspense fallback={<BusyState />}>
      <SharedOrder visit={query.data} onLeave={onLeave} />
    </Suspense>
  );
}

// A visitor of a study needs none of this code.
const SharedOrder = lazy(async () => ({ default: (await import("./shared-order.tsx")).SharedOrder }));
