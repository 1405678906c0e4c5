import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import { IconChevronDown, IconFileTypePdf } from "@tabler/icons-react";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Report } from "@arcada/contract/report/report.calls";
import { reportSteps } from "@arcada/contract/report/report.lifecycle";
import type { ReportStep } from "@arcada/contract/report/report.lifecycle";
import { reportRules } from "@arcada/contract/report/report.schema";
import { offeredLanguages } from "@arcada/contract/kernel/languages";
import { useOpenScreen } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { SignDialog } from "./sign-dialog.tsx";
import { ask } from "../data/ask.ts";

interface Props {
  report: Report;
  /** Saves the typed text and returns the resulting version. */
  saveDraft: () => Promise<number | null>;
}
type ConfirmedStep = Extract<ReportStep, "remove" | "amend" | "withdraw">;
const needsConfirmation = (stepCall: ReportStep): stepCall is ConfirmedStep =>
  stepCall === "remove" || stepCall === "amend" || stepCall === "withdraw";

/** A button for each action that is open, signing last. */
export function ReportActions({ report, saveDraft }: Props) {
  const t = useTexts("report");
  const go = useOpenScreen();
  const stepCall = useCommand(reportCalls.step);
  const [confirming, setConfirming] = useState<ConfirmedStep | null>(null);
  const [signedVersion, setSignedVersion] = useState<number | null>(null);
  const applyStep = async (action: ReportStep, reason?: string) => {
    const version = await saveDraft();
    if (version === null) return;
    const done = await stepCall.run({ id: report.id, version, action, ...(reason && { reason }) });
    setConfirming(null);
    if (done && action === "remove") go("patientDetail", { id: report.patientId, tab: "reports" }, { replace: true });
    else if (done?.data && action === "amend") go("reportDetail", { id: done.data.id });
  };
  const open = reportSteps.filter((one) => report.actions.includes(one));
  return (
    <>
      <PrintReport id={report.id} beforePrint={async () => void (await saveDraft())} />
      {open.map((action) => (
        <Button
          key={action}
          variant="default"
          {...((action === "remove" || action === "withdraw") && { c: "red" })}
          loading={stepCall.busy && confirming === null}
          onClick={() => (needsConfirmation(action) ? setConfirming(action) : void applyStep(action))}
        >
          {t(`report.action.${action}`)}
        </Button>
      ))}
      {report.actions.includes("sign") && (
        <Button onClick={() => void saveDraft().then(setSignedVersion)}>{t("report.action.sign")}</Button>
      )}
      {signedVersion !== null && (
        <SignDialog report={report} version={signedVersion} onClose={() => setSignedVersion(null)} />
      )}
      {confirming && (
        <ConfirmDialog
          opened
          danger={confirming !== "amend"}
          title={t(`report.ask.${confirming}`)}
          text={t(`report.ask.${confirming}Says`)}
          confirm={t(`report.action.${confirming}`)}
          {...(confirming === "withdraw" && {
            reason: { label: t("report.ask.reason"), required: true, maxLength: reportRules.reason },
          })}
          busy={stepCall.busy}
          onClose={() => setConfirming(null)}
          onConfirm={(reason) => void applyStep(confirming, reason)}
        />
      )}
    </>
  );
}

/** Opens the printable report, or its technical annex, in a new tab, in one of its languages. */
function PrintReport({ id, beforePrint }: { id: string; beforePrint?: (() => Promise<void>) | undefined }) {
  const t = useTexts("report");
  const [busy, setBusy] = useState(false);
  const open = async (part: "report" | "annex", lang: (typeof offeredLanguages)[number]) => {
    setBusy(true);
    try {
      await beforePrint?.();
      const { url } = await ask(reportCalls.paper, { id, lang, part });
      Object.assign(document.createElement("a"), { href: url, target: "_blank", rel: "noopener" }).click();
    } catch {
      // The error is already reported.
    } finally {
      setBusy(false);
    }
  };
  const nameOf = (lang: (typeof offeredLanguages)[number]) => t(`common.languages.${lang}`);
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          loading={busy}
          leftSection={<IconFileTypePdf size={16} stroke={1.6} aria-hidden />}
          rightSection={<IconChevronDown size={14} stroke={1.6} aria-hidden />}
        >
          {t("report.pdf")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {offeredLanguages.map((lang) => (
          <Menu.Item key={lang} onClick={() => void open("report", lang)}>
            {t("report.printIn", { language: nameOf(lang) })}
          </Menu.Item>
        ))}
        <Menu.Divider />
        {offeredLanguages.map((lang) => (
          <Menu.Item key={lang} onClick={() => void open("annex", lang)}>
            {t("report.printAnnexIn", { language: nameOf(lang) })}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
