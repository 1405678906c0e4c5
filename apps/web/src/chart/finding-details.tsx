import { ActionIcon, Group, Select, Stack, Text, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { Chart } from "@arcada/contract/chart/chart.calls";
import { findingRules } from "@arcada/contract/chart/chart.rules";
import { findingCodes, severities } from "@arcada/contract/chart/chart.schema";
import type { ChartTooth, Finding } from "@arcada/contract/chart/chart.schema";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { withChanged, withoutFinding } from "./chart-edit.ts";
import { describeFinding } from "./chart-text.ts";
import { FindingSign } from "./tooth-drawing.tsx";
import classes from "./tooth-panel.module.css";

interface FindingDetailsProps {
  tooth: ChartTooth;
  people: Chart["people"];
  onChange: (tooth: ChartTooth) => void;
}

/** The findings at a tooth, each with its severity, a remark, its author and a note if an engine suggested it. */
export function FindingDetails({ tooth, people, onChange }: FindingDetailsProps) {
  if (tooth.findings.length === 0) return null;
  return (
    <Stack gap="xs">
      {tooth.findings.map((finding) => (
        <FindingCard key={finding.id} finding={finding} tooth={tooth} people={people} onChange={onChange} />
      ))}
    </Stack>
  );
}

function FindingCard({ finding, tooth, people, onChange }: FindingDetailsProps & { finding: Finding }) {
  const t = useTexts("chart");
  const change = (to: Partial<Finding>) => onChange(withChanged(tooth, finding.id, to));
  const name = t(`chart.finding.${finding.code}`);
  const by = people.find(({ id }) => id === finding.by)?.name ?? t("chart.someone");
  return (
    <div className={classes.finding}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={600}>
          <FindingSign group={findingCodes[finding.code]} /> {describeFinding(t, tooth.fdi, finding)}
        </Text>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("chart.panel.remove", { finding: name })}
          onClick={() => onChange(withoutFinding(tooth, finding.id))}
        >
          <IconTrash size={16} />
        </ActionIcon>
      </Group>
      <Group gap="xs" grow align="flex-end" mt={4}>
        {findingRules[finding.code].severity && (
          <Select
            size="xs"
            label={t("chart.severityLabel")}
            allowDeselect={false}
            data={[
              { value: "", label: t("chart.severityNone") },
              ...severities.map((value) => ({ value, label: t(`chart.severity.${value}`) })),
            ]}
            value={finding.severity ?? ""}
            onChange={(value) => change({ severity: severities.find((one) => one === value) ?? null })}
          />
        )}
        <TextInput
          size="xs"
          label={t("chart.panel.remark")}
          maxLength={500}
          value={finding.remark ?? ""}
          onChange={(event) => change({ remark: event.currentTarget.value || null })}
        />
      </Group>
      <Text size="xs" c="dimmed" mt={4}>
        {t("chart.panel.by", { name: by, time: formatTimestamp(finding.at) })}
        {finding.observationId && ` · ${t("chart.panel.suggested")}`}
      </Text>
    </div>
  );
}
