import { Alert, Anchor, Badge, Button, Group, Stack, Text } from "@mantine/core";
import { teethText } from "@arcada/contract/kernel/tooth";
import { reportCalls } from "@arcada/contract/report/report.calls";
import type { Report } from "@arcada/contract/report/report.calls";
import { showTime } from "../kernel/format.ts";
import { ScreenLink, useSearch } from "../kernel/link.tsx";
import { keyOf, queryClient } from "../kernel/queries.ts";
import { useTexts } from "../kernel/texts.ts";
import { useCall } from "../kernel/use-call.ts";
import { Answer } from "../ui/answer.tsx";
import { PageBody } from "../ui/page.tsx";
import { ReportActions } from "./report-actions.tsx";
import { ReportEditor } from "./report-editor.tsx";
import { ReportPreview } from "./report-preview.tsx";
import { stateColours } from "./report-words.ts";
import classes from "./report.module.css";
import { useReportDraft } from "./use-report-draft.ts";

/** A health report: the editor on one side, the preview on the other. A signed one is shown as it was signed. */
export function Page() {
  const { id = "" } = useSearch();
  const query = useCall(reportCalls.detail, { id });
  return (
    <Answer of={query}>
      {(report) =>
        report.state === "draft" ? (
          <Draft key={report.id} report={report} />
        ) : (
          <Settled key={report.id} report={report} />
        )
      }
    </Answer>
  );
}

function Draft({ report }: { report: Report }) {
  const t = useTexts("report");
  const draft = useReportDraft(report);
  const reload = () => queryClient.resetQueries({ queryKey: keyOf(reportCalls.detail, { id: report.id }) });
  return (
    <Frame report={report} settle={draft.settle}>
      {draft.keeping === "elsewhere" && (
        <Alert color="red" title={t("report.changedElsewhere")} role="alert">
          <Button size="xs" variant="default" onClick={() => void reload()}>
            {t("report.reload")}
          </Button>
        </Alert>
      )}
      <Moved report={report} onSeen={() => void draft.settle(true)} />
      <div className={classes.columns}>
        <ReportEditor report={report} draft={draft} />
        <ReportPreview report={report} />
      </div>
    </Frame>
  );
}

const Settled = ({ report }: { report: Report }) => (
  <Frame report={report} settle={() => Promise.resolve(report.version)}>
    <Ended report={report} />
    <ReportPreview report={report} />
  </Frame>
);

interface FrameProps {
  report: Report;
  settle: () => Promise<number | null>;
  children: React.ReactNode;
}
function Frame({ report, settle, children }: FrameProps) {
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
      says={
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
      actions={<ReportActions report={report} settle={settle} />}
    >
      {children}
    </PageBody>
  );
}

function Ended({ report: { signer, licence, signedAt, ended, sha256 } }: { report: Report }) {
  const t = useTexts("report");
  return (
    <Stack gap="sm">
      {ended && (
        <Alert color="red">
          {t("report.withdrawnBy", { name: ended.by ?? "", time: showTime(ended.at), reason: ended.reason })}
        </Alert>
      )}
      {signedAt && (
        <Text size="sm">
          {t("report.signedBy", { name: signer ?? "", licence: licence ?? "", time: showTime(signedAt) })}
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

function Moved({ report: { changes, form }, onSeen }: { report: Report; onSeen: () => void }) {
  const t = useTexts("report");
  if (!changes) return null;
  const fields = changes.patient.map((name) => t(`report.field.${name}`)).join(", ");
  return (
    <Alert color="orange" title={t("report.moved.title")} role="alert">
      <Stack gap="xs">
        {fields && <Text size="sm">{t("report.moved.patient", { fields })}</Text>}
        {changes.chart && (
          <Text size="sm">{t("report.moved.chart", { teeth: teethText(changes.teeth, form.scheme) })}</Text>
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
