import { Button } from "@mantine/core";
import { useState } from "react";
import { leavingCalls } from "@arcada/contract/leaving/leaving.calls";
import type { Arrival } from "@arcada/contract/leaving/leaving.calls";
import { useTexts } from "../kernel/texts.ts";
import { useCommand } from "../kernel/use-command.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";

/** The actions for an archive in its present state. */
export function ArrivalActions({ arrival, isSending }: { arrival: Arrival; isSending: boolean }) {
  const t = useTexts("leaving");
  const [asking, setAsking] = useState(false);
  const step = useCommand(leavingCalls.arrivalStep);
  const forget = useCommand(leavingCalls.forgetArrival);
  const { id, state, found, offset, bytes } = arrival;
  const go = (next: "check" | "import" | "cancel") => step.run({ id, step: next }).then(() => setAsking(false));
  const isOver = ["done", "failed", "cancelled"].includes(state);
  return (
    <>
      {state === "checked" && (
        <Button size="xs" onClick={() => setAsking(true)}>
          {t("leaving.arrivals.import")}
        </Button>
      )}
      {state === "sending" && offset === bytes && (
        <Button size="xs" variant="default" loading={step.busy} onClick={() => void go("check")}>
          {t("leaving.arrivals.check")}
        </Button>
      )}
      {["sending", "checking", "checked"].includes(state) && (
        <Button
          size="xs"
          variant="default"
          disabled={isSending && state === "sending"}
          onClick={() => void go("cancel")}
        >
          {t("leaving.arrivals.cancel")}
        </Button>
      )}
      {isOver && (
        <Button size="xs" variant="subtle" loading={forget.busy} onClick={() => void forget.run({ id })}>
          {t("leaving.arrivals.forget")}
        </Button>
      )}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void go("import")}
        title={t("leaving.arrivals.importTitle", { name: found?.institution.name })}
        text={t("leaving.arrivals.importText")}
        confirm={t("leaving.arrivals.import")}
        busy={step.busy}
      />
    </>
  );
}
