import { Suspense, lazy, useEffect, useState } from "react";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { useDocumentTitle } from "../account/fields/use-document-title.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { setInstitutionZone } from "../i18n/time-zone.ts";
import { ShareSignInPage, ShareGone, GuestSessionEnded } from "../share/share-sign-in-page.tsx";
import { storeGuestSession, readSecret, resumeGuestSession } from "../share/guest-session.ts";
import { BusyState } from "../ui/busy-state.tsx";
import { ErrorState } from "../ui/page-states.tsx";
import { SharedStudy } from "./share/shared-study.tsx";

/** The page that a share link shows to a visitor without an account. */
export function Page() {
  const t = useTexts("shell");
  useDocumentTitle(t("shell.screen.studyShared"));
  const [secret] = useState(readSecret);
  const [isIn, setIn] = useState(() => resumeGuestSession() !== "");
  const [hasLeft, setLeft] = useState(false);
  useEffect(() => {
    // Another link in the same tab differs only in its secret, so the browser does not reload the page.
    const begin = () => location.reload();
    addEventListener("hashchange", begin);
    return () => removeEventListener("hashchange", begin);
  }, []);
  const end = () => {
    storeGuestSession("");
    setInstitutionZone(null);
    setIn(false);
  };
  if (hasLeft) return <GuestSessionEnded hasLeft onAgain={() => setLeft(false)} />;
  if (!isIn) return <ShareSignInPage secret={secret} onOpen={() => setIn(true)} />;
  return (
    <GuestView
      onEnd={end}
      onLeave={() => {
        end();
        setLeft(true);
      }}
    />
  );
}

/** The link is polled in this interval (ms), so that a cancelled one disappears from the screen. */
const pollMs = 1000;

function GuestView({ onEnd, onLeave }: { onEnd: () => void; onLeave: () => void }) {
  const query = useCall(shareCalls.visit, null, { pollMs: pollMs });
  if (query.error?.name === "shareGone") return <ShareGone />;
  if (query.error?.name === "shareVisitOver") return <GuestSessionEnded hasLeft={false} onAgain={onEnd} />;
  if (!query.data) return query.isPending ? <BusyState /> : <ErrorState retry={() => void query.refetch()} />;
  setInstitutionZone(query.data);
  if (query.data.kind === "study") return <SharedStudy guestSession={query.data} onLeave={onLeave} />;
  return (
    <Suspense fallback={<BusyState />}>
      <SharedOrder guestSession={query.data} onLeave={onLeave} />
    </Suspense>
  );
}

// A visitor of a study needs none of this code.
const SharedOrder = lazy(async () => ({ default: (await import("./share/shared-order.tsx")).SharedOrder }));
