import { useBlocker } from "@tanstack/react-router";

export interface LeaveGuard {
  /** True while the user has to decide whether to leave. */
  isAsking: boolean;
  leave: () => void;
  stay: () => void;
}

/** Holds up a change of the page while there is something to lose; the browser asks before it closes or reloads. */
export function useLeaveGuard(isActive: boolean): LeaveGuard {
  const blocker = useBlocker({
    // An anchor or a filter of the same page loses nothing.
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    enableBeforeUnload: isActive,
    disabled: !isActive,
    withResolver: true,
  });
  return {
    isAsking: blocker.status === "blocked",
    leave: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
  };
}
