import { Alert, Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { formatTeeth } from "@arcada/contract/kernel/tooth-numbers";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Report } from "@arcada/contract/report/report.calls";
import { formatTimestamp } from "../i18n/format.ts";
import { ScreenLink, useSearchParams } from "../browser/navigation.tsx";
import { queryKeyOf, queryClient } from "../data/query-client.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { PageBody } from "../ui/page.tsx";
import { ReportActions } from "./report-actions.tsx";
import { ReportEditor } from "./report-editor.tsx";
import { ReportPreview } from "./report-preview.tsx";
import { stateColours } from "./state-colours.ts";
import classes from "./report.module.css";
import { useReportDraft } from "./use-report-draft.ts";

/** A health report: the editor on one side, the preview on the other. A signed one is shown as it was signed. */
export function Page() {
  const { id = "" } = useSearchParams();
  const query = useCall(reportCalls.detail, { id });
  return (
    <QueryResult of={query}>
      {(report) =>
        report.state === "draft" ? (
          <DraftReport key={report.id} report={report} />
        ) : (
          <FinishedReport key={report.id} report={report} />
        )
      }
    </QueryResult>
  );
}

function DraftReport({ report }: { report: Report }) {
  const t = useTexts("report");
  const draft = useReportDraft(report);
  const reload = () => queryClient.resetQueries({ queryKey: queryKeyOf(reportCalls.detail, { id: report.id }) });
  return (
    <ReportFrame report={report} saveDraft={draft.saveNow}>
      {draft.saveState === "elsewhere" && (
        <Alert color="red" title={t("report.changedElsewhere")} role="alert">
          <Button size="xs" variant="default" onClick={() => void reload()}>
            {t("report.reload")}
          </Button>
        </Alert>
      )}
      <ChangedNotice report={report} onSeen={() => void draft.saveNow(true)} />
      <div className={classes.columns}>
        <div data-screen-only>
          <ReportEditor report={report} draft={draft} />
        </div>
        <ReportPreview report={report} />
      </div>
    </ReportFrame>
  );
}

const FinishedReport = ({ report }: { report: Report }) => (
  <ReportFrame report={report} saveDraft={() => Promise.resolve(report.version)}>
    <EndedNotice report={report} />
    <ReportPreview report={report} />
  </ReportFrame>
);

interface ReportFrameProps {
  report: Report;
  saveDraft: () => Promise<number | null>;
  children: React.ReactNode;
}
function ReportFrame({ report, saveDraft, children }: ReportFrameProps) {
  const t = useTexts("report");
  const { number, state, patientId, patientName, previous, next } = report;
  return (
    <PageBody
      title={
        <Group gap="sm">
          {number}
          <Badge variant="light" size="lg" color={stateColours[state]}>
            {t(`report.state.${state}`)}
          </Badge>
        </Group>
      }
      description={
        <Group gap="md">
          <Anchor component={ScreenLink} screen="patientDetail" search={{ id: patientId, tab: "reports" }} size="sm">
            {patientName}
          </Anchor>
          <span>{t(`report.source.${report.source}`)}</span>
          {previous && (
            <Anchor component={ScreenLink} screen="reportDetail" search={{ id: previous.id }} size="sm">
              {t("report.corrects", { number: previous.number })}
            </Anchor>
          )}
          {next && (
            <Anchor component={ScreenLink} screen="reportDetail" search={{ id: next.id }} size="sm">
              {t("report.correctedBy", { number: next.number })}
            </Anchor>
          )}
        </Group>
      }
      actions={<ReportActions report={report} saveDraft={saveDraft} />}
    >
      {children}
    </PageBody>
  );
}

function EndedNotice({ report: { signer, licence, signedAt, ended, sha256 } }: { report: Report }) {
  const t = useTexts("report");
  return (
    <Stack gap="sm">
      {ended && (
        <Alert color="red">
          {t("report.withdrawnBy", { name: ended.by ?? "", time: formatTimestamp(ended.at), reason: ended.reason })}
        </Alert>
      )}
      {signedAt && (
        <Text size="sm">
          {t("report.signedBy", { name: signer ?? "", licence: licence ?? "", time: formatTimestamp(signedAt) })}
        </Text>
      )}
      {sha256 && (
        <Text size="xs" c="dimmed" className={classes.hash}>
          {t("report.hash")}: {sha256}
        </Text>
      )}
    </Stack>
  );
}

function ChangedNotice({ report: { changes, form }, onSeen }: { report: Report; onSeen: () => void }) {
  const t = useTexts("report");
  if (!changes) return null;
  const fields = changes.patient.map((name) => t(`report.field.${name}`)).join(", ");
  return (
    <Alert color="orange" title={t("report.moved.title")} role="alert">
      <Stack gap="xs">
        {fields && <Text size="sm">{t("report.moved.patient", { fields })}</Text>}
        {changes.chart && (
          <Text size="sm">{t("report.moved.chart", { teeth: formatTeeth(changes.teeth, form.scheme) })}</Text>
        )}
        {changes.tracing && <Text size="sm">{t("report.moved.tracing")}</Text>}
        <Text size="sm">{t("report.moved.says")}</Text>
        <Button size="xs" variant="default" className={classes.start} onClick={onSeen}>
          {t("report.moved.seen")}
        </Button>
      </Stack>
    </Alert>
  );
}
