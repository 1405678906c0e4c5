import { Button } from "@mantine/core";
import { useState } from "react";
import { dataExportCalls } from "@arcada/contract/data-export/data-export.calls";
import type { DataImport } from "@arcada/contract/data-export/data-export.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

/** The actions for an archive in its present state. */
export function ImportActions({ dataImport, isSending }: { dataImport: DataImport; isSending: boolean }) {
  const t = useTexts("leaving");
  const [isConfirming, setConfirming] = useState(false);
  const transition = useCommand(dataExportCalls.arrivalStep);
  const forget = useCommand(dataExportCalls.forgetArrival);
  const { id, state, found, offset, bytes } = dataImport;
  const applyStep = (next: "check" | "import" | "cancel") =>
    transition.run({ id, step: next }).then(() => setConfirming(false));
  const isEnded = ["done", "failed", "cancelled"].includes(state);
  return (
    <>
      {state === "checked" && (
        <Button size="xs" onClick={() => setConfirming(true)}>
          {t("leaving.arrivals.import")}
        </Button>
      )}
      {state === "sending" && offset === bytes && (
        <Button size="xs" variant="default" loading={transition.busy} onClick={() => void applyStep("check")}>
          {t("leaving.arrivals.check")}
        </Button>
      )}
      {["sending", "checking", "checked"].includes(state) && (
        <Button
          size="xs"
          variant="default"
          disabled={isSending && state === "sending"}
          onClick={() => void applyStep("cancel")}
        >
          {t("leaving.arrivals.cancel")}
        </Button>
      )}
      {isEnded && (
        <Button size="xs" variant="subtle" loading={forget.busy} onClick={() => void forget.run({ id })}>
          {t("leaving.arrivals.forget")}
        </Button>
      )}
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => void applyStep("import")}
        title={t("leaving.arrivals.importTitle", { name: found?.institution.name })}
        text={t("leaving.arrivals.importText")}
        confirm={t("leaving.arrivals.import")}
        busy={transition.busy}
      />
    </>
  );
}
