import { ActionIcon, Alert, Button, Group, Select, Stack, Text, Textarea } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { allTeeth, toothName } from "@arcada/contract/kernel/tooth-numbers";
import type { Report } from "@arcada/contract/report/report.calls";
import { reportRules } from "@arcada/contract/report/report.schema";
import type { ReportForm, ReportProblem } from "@arcada/contract/report/report.schema";
import { useTexts } from "../i18n/texts.ts";
import { createUuid } from "../browser/unique-id.ts";
import { describeProblem } from "./report-preview.tsx";
import classes from "./report.module.css";

interface Props {
  report: Report;
  form: ReportForm;
  onChange: (problems: ReportProblem[]) => void;
}

/** The problem list: lines from the chart, and lines that the writer adds. */
export function ReportProblems({ report, form, onChange }: Props) {
  const t = useTexts("report", "chart");
  const { problems } = form;
  const listed = new Set(problems.map(({ findingId }) => findingId));
  const offered = report.offered.filter(({ findingId }) => !listed.has(findingId));
  const hasRoom = problems.length < reportRules.problems;
  const edit = (id: string, part: Partial<ReportProblem>) =>
    onChange(problems.map((line) => (line.id === id ? { ...line, ...part } : line)));
  const emptyProblem = { fdi: null, findingId: null, code: null, surfaces: [], severity: null, text: "" };
  return (
    <Stack gap="sm" role="group" aria-label={t("report.form.problems")}>
      <Text fw={500} size="sm">
        {t("report.form.problems")}
      </Text>
      {offered.length > 0 && (
        <Alert color="blue">
          <Group justify="space-between" gap="sm">
            <Text size="sm">{t("report.form.offered", { number: offered.length })}</Text>
            <Button
              size="xs"
              variant="default"
              onClick={() => onChange([...problems, ...offered].slice(0, reportRules.problems))}
            >
              {t("report.form.takeOffered")}
            </Button>
          </Group>
        </Alert>
      )}
      {problems.map((line, at) => (
        <ProblemLine
          key={line.id}
          line={line}
          position={at + 1}
          scheme={form.scheme}
          onChange={(part) => edit(line.id, part)}
          onRemove={() => onChange(problems.filter(({ id }) => id !== line.id))}
        />
      ))}
      <Button
        variant="default"
        size="xs"
        className={classes.start}
        disabled={!hasRoom}
        leftSection={<IconPlus size={14} stroke={1.6} aria-hidden />}
        onClick={() => onChange([...problems, { ...emptyProblem, id: createUuid() }])}
      >
        {t("report.form.addProblem")}
      </Button>
    </Stack>
  );
}

interface LineProps {
  line: ReportProblem;
  position: number;
  scheme: ReportForm["scheme"];
  onChange: (part: Partial<ReportProblem>) => void;
  onRemove: () => void;
}
function ProblemLine({ line, position, scheme, onChange, onRemove }: LineProps) {
  const t = useTexts("report", "chart");
  const teeth = allTeeth.map((fdi) => ({ value: String(fdi), label: toothName(fdi, scheme) }));
  return (
    <div className={classes.line}>
      {line.code ? (
        <Text size="sm" className={classes.found}>
          {line.fdi !== null && toothName(line.fdi, scheme)} {describeProblem(line, t)}
        </Text>
      ) : (
        <Select
          data={teeth}
          value={line.fdi === null ? null : String(line.fdi)}
          onChange={(value) => onChange({ fdi: value === null ? null : Number(value) })}
          placeholder={t("report.form.wholeMouth")}
          aria-label={t("report.form.problemTooth", { place: position })}
          clearable
          searchable
          clearButtonProps={{ "aria-label": t("report.form.wholeMouth") }}
        />
      )}
      <Stack gap={6}>
        <Textarea
          value={line.text}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
          maxLength={reportRules.problemText}
          autosize
          minRows={1}
          aria-label={t("report.form.problemText", { place: position })}
        />
        <Textarea
          value={line.plan ?? ""}
          onChange={(event) => onChange({ plan: event.currentTarget.value })}
          maxLength={reportRules.problemText}
          autosize
          minRows={1}
          placeholder={t("report.form.plan")}
          aria-label={t("report.form.problemPlan", { place: position })}
        />
      </Stack>
      <ActionIcon
        variant="subtle"
        color="red"
        size="lg"
        onClick={onRemove}
        aria-label={t("report.form.removeProblem", { place: position })}
      >
        <IconTrash size={16} stroke={1.6} aria-hidden />
      </ActionIcon>
    </div>
  );
}
