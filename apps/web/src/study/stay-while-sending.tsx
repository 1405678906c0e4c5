import { useBlocker } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTexts } from "../kernel/texts.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";

/** Files stop on their way when their page is left: nobody shall find that out later. */
export function StayWhileSending({ isBusy }: { isBusy: boolean }) {
  const t = useTexts("study");
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isBusy && current.fullPath + JSON.stringify(current.search) !== next.fullPath + JSON.stringify(next.search),
    // The upload itself asks before the whole page goes.
    enableBeforeUnload: false,
    withResolver: true,
  });
  const isAsking = status === "blocked";
  // All arrived while the question stood: whoever waited for it sees what became of it.
  useEffect(() => {
    if (isAsking && !isBusy) reset?.();
  }, [isAsking, isBusy, reset]);
  return (
    <ConfirmDialog
      opened={isAsking}
      onClose={() => reset?.()}
      onConfirm={() => proceed?.()}
      title={t("study.leaving.title")}
      text={t("study.leaving.text")}
      confirm={t("study.leaving.leave")}
      cancel={t("study.leaving.stay")}
    />
  );
}
