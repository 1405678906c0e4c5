import { Button } from "@mantine/core";
import { useState } from "react";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Report } from "@arcada/contract/report/report.calls";
import { reportSteps } from "@arcada/contract/report/report.cycle";
import type { ReportStep } from "@arcada/contract/report/report.cycle";
import { reportRules } from "@arcada/contract/report/report.shape";
import { useGo } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { useCommand } from "../kernel/use-command.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";
import { PrintReport } from "./print-report.tsx";
import { SignDialog } from "./sign-dialog.tsx";

interface Props {
  report: Report;
  /** Saves the typed text and returns the resulting version. */
  settle: () => Promise<number | null>;
}
type Asked = Extract<ReportStep, "remove" | "amend" | "withdraw">;
const isAsked = (step: ReportStep): step is Asked => step === "remove" || step === "amend" || step === "withdraw";

/** A button for each action that is open, signing last. */
export function ReportActions({ report, settle }: Props) {
  const t = useTexts("report");
  const go = useGo();
  const step = useCommand(reportCalls.step);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [signs, setSigns] = useState<number | null>(null);
  const take = async (action: ReportStep, reason?: string) => {
    const version = await settle();
    if (version === null) return;
    const done = await step.run({ id: report.id, version, action, ...(reason && { reason }) });
    setAsked(null);
    if (done && action === "remove") go("patientDetail", { id: report.patientId, tab: "reports" }, { replace: true });
    else if (done?.data && action === "amend") go("reportDetail", { id: done.data.id });
  };
  const open = reportSteps.filter((one) => report.actions.includes(one));
  return (
    <>
      <PrintReport id={report.id} before={async () => void (await settle())} />
      {open.map((action) => (
        <Button
          key={action}
          variant="default"
          {...((action === "remove" || action === "withdraw") && { c: "red" })}
          loading={step.busy && asked === null}
          onClick={() => (isAsked(action) ? setAsked(action) : void take(action))}
        >
          {t(`report.action.${action}`)}
        </Button>
      ))}
      {report.actions.includes("sign") && (
        <Button onClick={() => void settle().then(setSigns)}>{t("report.action.sign")}</Button>
      )}
      {signs !== null && <SignDialog report={report} version={signs} onClose={() => setSigns(null)} />}
      {asked && (
        <ConfirmDialog
          opened
          danger={asked !== "amend"}
          title={t(`report.ask.${asked}`)}
          text={t(`report.ask.${asked}Says`)}
          confirm={t(`report.action.${asked}`)}
          {...(asked === "withdraw" && {
            reason: { label: t("report.ask.reason"), needed: true, most: reportRules.reason },
          })}
          busy={step.busy}
          onClose={() => setAsked(null)}
          onConfirm={(reason) => void take(asked, reason)}
        />
      )}
    </>
  );
}
