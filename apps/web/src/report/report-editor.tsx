import { Checkbox, SegmentedControl, Select, Stack, Text, Textarea } from "@mantine/core";
import { cephAnalysisNames } from "@arcada/analysis/ceph/analyses";
import { nameAnalysis } from "@arcada/analysis/ceph/literature-labels";
import { toothSchemes } from "@arcada/contract/kernel/tooth-schemes";
import type { ToothScheme } from "@arcada/contract/kernel/tooth-schemes";
import type { Report } from "@arcada/contract/report/report.calls";
import { reportRules } from "@arcada/contract/report/report.schema";
import { formatDay, formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { Section } from "../ui/page.tsx";
import { ReportImages } from "./select-report-images.tsx";
import { ReportProblems } from "./problem-list-editor.tsx";
import type { ReportDraft } from "./use-report-draft.ts";

interface Props {
  report: Report;
  draft: ReportDraft;
}

const textFields = ["examination", "diagnosis", "advice"] as const;

/** The texts and choices of the dentist, saved automatically. */
export function ReportEditor({ report, draft: { form, change, saveState: keeping } }: Props) {
  const t = useTexts("report");
  const labelByState = {
    kept: "saved",
    keeping: "saving",
    waiting: "saving",
    failed: "notSaved",
    elsewhere: "notSaved",
  } as const;
  return (
    <Section
      title={t("report.state.draft")}
      actions={
        <Text size="sm" c="dimmed" role="status">
          {t(`report.${labelByState[keeping]}`)}
        </Text>
      }
    >
      <Stack gap="lg">
        {textFields.map((name) => (
          <Textarea
            key={name}
            label={t(`report.form.${name}`)}
            {...(name === "advice" && { description: t("report.form.adviceHint") })}
            value={form[name] ?? ""}
            onChange={(event) => change({ [name]: event.currentTarget.value })}
            maxLength={reportRules.text}
            autosize
            minRows={3}
            maxRows={14}
          />
        ))}
        <ReportProblems report={report} form={form} onChange={(problems) => change({ problems })} />
        <ReportImages report={report} form={form} onChange={(images) => change({ images })} />
        <Stack gap="sm" role="group" aria-labelledby="report-annex">
          <div>
            <Text fw={600} size="sm" id="report-annex">
              {t("report.form.annex")}
            </Text>
            <Text size="xs" c="dimmed">
              {t("report.form.annexSays")}
            </Text>
          </div>
          <MeasurementFields report={report} form={form} change={change} />
          <TracingFields report={report} form={form} change={change} />
        </Stack>
        <div>
          <Text fw={500} size="sm" mb={4} id="report-scheme">
            {t("report.form.scheme")}
          </Text>
          <SegmentedControl
            aria-labelledby="report-scheme"
            data={toothSchemes.map((value) => ({ value, label: t(`common.tooth.scheme.${value}`) }))}
            value={form.scheme ?? "fdi"}
            onChange={(scheme) => change({ scheme: scheme as ToothScheme })}
          />
        </div>
      </Stack>
    </Section>
  );
}

type PartProps = { report: Report } & Pick<ReportDraft, "form" | "change">;

function MeasurementFields({ report: { choices }, form, change }: PartProps) {
  const t = useTexts("report", "study");
  const { analyses, images } = choices;
  // The number of the image in the list above.
  const getImageNumber = (instanceId: string | null) => {
    const place = images.findIndex((one) => one.instanceId === instanceId);
    return place === -1 ? "" : ` (${place + 1})`;
  };
  return (
    <Checkbox.Group
      label={t("report.form.measurements")}
      value={form.analysisIds}
      onChange={(analysisIds) => change({ analysisIds: analysisIds.slice(0, reportRules.analyses) })}
    >
      <Stack gap="xs" mt="xs">
        {analyses.length === 0 && <Text size="sm">{t("report.form.noMeasurements")}</Text>}
        {analyses.map(({ id, instanceId, kind, takenAt, engine, version, level }) => (
          <Checkbox
            key={id}
            value={id}
            label={[
              t(`study.kind.${kind}`),
              `${formatDay(takenAt)}${getImageNumber(instanceId)}`,
              `${engine} ${version} (${level})`,
            ].join(" · ")}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function TracingFields({ report: { choices }, form, change }: PartProps) {
  const t = useTexts("report", "ceph");
  const { tracings } = choices;
  return (
    <>
      {tracings.length > 0 && (
        <Select
          label={t("report.form.ceph")}
          data={tracings.map(({ id, savedAt }) => ({ value: id, label: formatTimestamp(savedAt) }))}
          value={form.tracingId}
          placeholder={t("report.form.noTracing")}
          clearable
          onChange={(tracingId) =>
            change({
              tracingId,
              ...(tracingId && form.cephAnalyses.length === 0 && { cephAnalyses: ["steiner"] }),
            })
          }
        />
      )}
      {form.tracingId && (
        <Checkbox.Group
          label={t("report.form.cephAnalyses")}
          value={form.cephAnalyses}
          onChange={(chosen) => change({ cephAnalyses: chosen.slice(0, reportRules.cephAnalyses) })}
        >
          <Stack gap="xs" mt="xs">
            {cephAnalysisNames.map((name) => (
              <Checkbox key={name} value={name} label={nameAnalysis(name, (one) => t(`ceph.analysis.${one}`))} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </>
  );
}
