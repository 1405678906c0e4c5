import { IconFileTypePdf, IconTable, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { cephCalls } from "@arcada/contract/ceph/ceph.calls";
import type { CephAnalysis } from "@arcada/analysis/ceph/analyses";
import { ask } from "../../kernel/ask.ts";
import { useMay } from "../../kernel/permit.tsx";
import { useTexts } from "../../kernel/texts.ts";
import { toast } from "../../kernel/toast.ts";
import { useCommand } from "../../kernel/use-command.ts";
import { ConfirmDialog } from "../../ui/confirm.tsx";
import { Tool } from "../frame/toolbar.tsx";
import type { Tracing } from "./use-tracing.ts";

interface Props {
  film: { studyId: string; instanceId: string };
  tracing: Tracing;
  analysis: CephAnalysis;
}

/** Exports a saved tracing as CSV and as a document, and removes it. */
export function CephExits({ film, tracing, analysis }: Props) {
  const t = useTexts("ceph");
  const [isAsking, setAsking] = useState(false);
  const mayPrint = useMay(cephCalls.paper) && tracing.maySave;
  const remove = useCommand(cephCalls.remove);
  const cannot = tracing.version === 0 && tracing.maySave;
  const leave = async (how: "csv" | "paper") => {
    if (tracing.isChanged) return toast("info", t("ceph.saveFirst"));
    // The reason for a refusal has been shown already.
    await (how === "csv" ? saveCsv(film) : openPaper(film, analysis)).catch(() => {});
  };
  const takeAway = async () => {
    if (!(await remove.run({ ...film, version: tracing.version }))) return;
    setAsking(false);
    toast("success", t("ceph.removed"));
    tracing.restart();
  };
  return (
    <>
      <Tool label={t("ceph.csv")} icon={IconTable} disabled={cannot} onPress={() => void leave("csv")} />
      {mayPrint && (
        <>
          <Tool label={t("ceph.paper")} icon={IconFileTypePdf} disabled={cannot} onPress={() => void leave("paper")} />
          <Tool label={t("ceph.remove")} icon={IconTrash} disabled={cannot} onPress={() => setAsking(true)} />
          <ConfirmDialog
            opened={isAsking}
            onClose={() => setAsking(false)}
            onConfirm={() => void takeAway()}
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

async function saveCsv(film: Props["film"]): Promise<void> {
  const { name, csv } = await ask(cephCalls.csv, film);
  const url = URL.createObjectURL(new Blob([csv], { type: "text/csv" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

async function openPaper(film: Props["film"], analysis: CephAnalysis): Promise<void> {
  const { url } = await ask(cephCalls.paper, { ...film, analysis });
  Object.assign(document.createElement("a"), { href: url, target: "_blank", rel: "noopener" }).click();
}
