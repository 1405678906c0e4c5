import { IconFileTypePdf, IconTable, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { ask } from "../../data/ask.ts";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { ToolButton } from "../ui/toolbar/toolbar.tsx";
import type { Tracing } from "./use-tracing.ts";

interface Props {
  radiograph: { studyId: string; instanceId: string };
  tracing: Tracing;
  analysis: CephAnalysis;
}

/** Exports a saved tracing as CSV and as a document, and removes it. */
export function TracingActions({ radiograph, tracing, analysis }: Props) {
  const t = useTexts("ceph");
  const [isConfirming, setConfirming] = useState(false);
  const mayPrint = useCanAccess(cephCalls.paper) && tracing.maySave;
  const remove = useCommand(cephCalls.remove);
  const isUnsaved = tracing.version === 0 && tracing.maySave;
  const exportAs = async (format: "csv" | "paper") => {
    if (tracing.isChanged) return toast("info", t("ceph.saveFirst"));
    // The reason for a refusal has been shown already.
    await (format === "csv" ? saveCsv(radiograph) : openReport(radiograph, analysis)).catch(() => {});
  };
  const removeTracing = async () => {
    if (!(await remove.run({ ...radiograph, version: tracing.version }))) return;
    setConfirming(false);
    toast("success", t("ceph.removed"));
    tracing.reset();
  };
  return (
    <>
      <ToolButton label={t("ceph.csv")} icon={IconTable} disabled={isUnsaved} onPress={() => void exportAs("csv")} />
      {mayPrint && (
        <>
          <ToolButton
            label={t("ceph.paper")}
            icon={IconFileTypePdf}
            disabled={isUnsaved}
            onPress={() => void exportAs("paper")}
          />
          <ToolButton
            label={t("ceph.remove")}
            icon={IconTrash}
            disabled={isUnsaved}
            onPress={() => setConfirming(true)}
          />
          <ConfirmDialog
            opened={isConfirming}
            onClose={() => setConfirming(false)}
            onConfirm={() => void removeTracing()}
            title={t("ceph.remove")}
            text={t("ceph.removeSure")}
            confirm={t("ceph.remove")}
            danger
            busy={remove.busy}
          />
        </>
      )}
    </>
  );
}

async function saveCsv(radiograph: Props["radiograph"]): Promise<void> {
  const { name, csv } = await ask(cephCalls.csv, radiograph);
  const url = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function openReport(radiograph: Props["radiograph"], analysis: CephAnalysis): Promise<void> {
  const { url } = await ask(cephCalls.paper, { ...radiograph, analysis });
  Object.assign(document.createElement("a"), { href: url, target: "_blank", rel: "noopener" }).click();
}
