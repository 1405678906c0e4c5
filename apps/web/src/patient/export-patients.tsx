import { ActionIcon } from "@mantine/core";
import { IconTableExport } from "@tabler/icons-react";
import { useState } from "react";
import { patientCalls, patientRules } from "@arcada/contract/patient/patient.calls";
import { ask } from "../data/ask.ts";
import { useTexts } from "../i18n/texts.ts";
import { HoverTooltip } from "../ui/overlays/hover-tooltip.tsx";
import { toast } from "../browser/toast.ts";
import type { PatientFilter } from "./use-filtered-patients.ts";

/** Exports the listed patients with all fields as a spreadsheet. */
export function ExportPatients({ filter }: { filter: PatientFilter }) {
  const t = useTexts("patient");
  const [isBusy, setBusy] = useState(false);
  const startExport = async () => {
    setBusy(true);
    try {
      // A million patients take minutes.
      const { url, rows, cut } = await ask(patientCalls.export, filter, { timeout: 600_000 });
      toast("success", t("patient.export.done", { count: rows }));
      if (cut) toast("info", t("patient.export.cut", { count: patientRules.exportRows }));
      location.assign(url);
    } finally {
      setBusy(false);
    }
  };
  return (
    <HoverTooltip label={t("patient.export.action")}>
      <ActionIcon
        variant="default"
        size={36}
        loading={isBusy}
        aria-label={t("patient.export.action")}
        onClick={() => void startExport().catch(() => {})}
      >
        <IconTableExport size={18} stroke={1.7} aria-hidden />
      </ActionIcon>
    </HoverTooltip>
  );
}
