import { IconFileTypePdf, IconTable, IconTrash } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { ask } from "../../data/ask.ts";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import type { ViewerTool } from "../ui/modes/viewer-tool.ts";
import type { Tracing } from "./use-tracing.ts";

interface Options {
  radiograph: { studyId: string; instanceId: string };
  tracing: Tracing;
  analysis: CephAnalysis;
}

/** Exports a saved tracing as CSV and as a document, and removes it. `dialog` asks before the removal. */
export function useTracingActions({ radiograph, tracing, analysis }: Options): {
  exports: readonly ViewerTool[];
  remove: readonly ViewerTool[];
  dialog: ReactNode;
} {
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
  const button = (id: "csv" | "paper" | "remove", icon: ViewerTool["icon"], onPress: () => void): ViewerTool => ({
    id,
    icon,
    onPress,
    label: t(`ceph.${id}`),
    disabled: isUnsaved,
  });
  return {
    exports: [
      ...(mayPrint ? [button("paper", IconFileTypePdf, () => void exportAs("paper"))] : []),
      button("csv", IconTable, () => void exportAs("csv")),
    ],
    remove: mayPrint ? [button("remove", IconTrash, () => setConfirming(true))] : [],
    dialog: (
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
    ),
  };
}

async function saveCsv(radiograph: Options["radiograph"]): Promise<void> {
  const { name, csv } = await ask(cephCalls.csv, radiograph);
  const url = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function openReport(radiograph: Options["radiograph"], analysis: CephAnalysis): Promise<void> {
  const { url } = await ask(cephCalls.paper, { ...radiograph, analysis });
  Object.assign(document.createElement("a"), { href: url, target: "_blank", rel: "noopener" }).click();
}
