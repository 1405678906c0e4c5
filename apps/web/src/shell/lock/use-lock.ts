import { useEffect, useRef, useState } from "react";
import { loginPageCalls } from "@arcada/contract/account/login-page.calls";
import { startIdleWatch, idleState } from "../../session/idle-watch.ts";
import { queryClient } from "../../data/query-client.ts";
import { useStore } from "../../browser/external-store.ts";
import { useCallOnce } from "../../data/use-call-once.ts";

/** Detects inactivity and hides the page then. A page that opened locked has no content yet. */
export function useLock(): { isLocked: boolean; isWarned: boolean; hasContent: boolean } {
  const minutes = useCallOnce(loginPageCalls.welcome)?.idleMinutes;
  const { kind } = useStore(idleState);
  const isLocked = kind === "locked";
  const [hasContent, setContent] = useState(!isLocked);
  if (!isLocked && !hasContent) setContent(true);
  useEffect(() => (minutes === undefined ? undefined : startIdleWatch(minutes)), [minutes]);
  const wasLocked = useRef(isLocked);
  useEffect(() => {
    // Requests of this tab were rejected while it was locked, even if the user signed in again in another tab.
    if (wasLocked.current && !isLocked) void queryClient.invalidateQueries();
    wasLocked.current = isLocked;
    document.documentElement.toggleAttribute("data-locked", isLocked);
  }, [isLocked]);
  return { isLocked, isWarned: kind === "warning", hasContent };
}
