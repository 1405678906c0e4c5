import { useBlocker } from "@tanstack/react-router";
import { useTexts } from "../kernel/texts.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";

/** Files stop on their way when their page is left: nobody shall find that out later. */
export function StayWhileSending({ isBusy }: { isBusy: boolean }) {
  const t = useTexts("study");
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isBusy && current.fullPath + JSON.stringify(current.search) !== next.fullPath + JSON.stringify(next.search),
    // The upload itself asks before the whole page goes.
    enableBeforeUnload: false,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={status === "blocked"}
      onClose={() => reset?.()}
      onConfirm={() => proceed?.()}
      title={t("study.leaving.title")}
      text={t("study.leaving.text")}
      confirm={t("study.leaving.leave")}
      cancel={t("study.leaving.stay")}
    />
  );
}
