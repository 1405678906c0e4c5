import { Button, Group, NativeSelect, Slider, Stack, Text } from "@mantine/core";
import { memo, useState } from "react";
import { chartCalls } from "@arcada/contract/chart/chart.calls";
import type { Chart, ChartVersion } from "@arcada/contract/chart/chart.calls";
import { findChangedTeeth } from "@arcada/contract/chart/chart.changes";
import type { ToothSet } from "@arcada/contract/chart/expected-teeth-at-age";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useToothNames } from "../i18n/tooth-notation.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { TeethRows, getShownSet } from "./teeth-rows.tsx";

interface ChartHistoryProps {
  patientId: string;
  newest: Chart;
  set: ToothSet;
  /** True if there are unsaved changes. Restoring an old version would lose them. */
  hasUnsaved: boolean;
}

/** The history of the chart: a slider over its versions, each with its changes, comparable with any other version. */
export const ChartHistory = memo(function ChartHistory({ patientId, ...rest }: ChartHistoryProps) {
  const t = useTexts("chart");
  const query = useCall(chartCalls.history, { patientId }, { keepPrevious: true });
  return (
    <Section title={t("chart.history.title")}>
      <QueryResult of={query} empty={<EmptyState title={t("chart.history.empty")} />}>
        {(versions) => <Versions patientId={patientId} versions={versions} {...rest} />}
      </QueryResult>
    </Section>
  );
});

function Versions({ patientId, newest, set, hasUnsaved, versions }: ChartHistoryProps & { versions: ChartVersion[] }) {
  const t = useTexts("chart");
  const [chosen, setChosen] = useState<number | null>(null);
  const [comparedVersion, setComparedVersion] = useState<number | null>(null);
  const [at, setSelectedTooth] = useState(11);
  const first = versions.at(-1)!.version;
  const last = versions[0]!.version;
  const version = Math.min(Math.max(chosen ?? last, first), last);
  const row = versions.find((one) => one.version === version) ?? versions[0]!;
  const shown = useCall(chartCalls.detail, { patientId, version }, { keepPrevious: true });
  const other = useCall(
    chartCalls.detail,
    { patientId, version: comparedVersion ?? first },
    { enabled: comparedVersion !== null, keepPrevious: true },
  );
  const differingTeeth =
    comparedVersion === null || !shown.data || !other.data
      ? row.changed
      : findChangedTeeth(other.data.content, shown.data.content);
  return (
    <Stack gap="md">
      {last > first && <VersionSlider {...{ versions, first, last, version }} onVersion={setChosen} />}
      <Group justify="space-between" align="flex-end" gap="sm">
        <div>
          <Text fw={600}>
            {t("chart.history.version", { version: row.version, time: formatTimestamp(row.at), name: row.by.name })}
          </Text>
          <DifferenceText comparedVersion={comparedVersion} differingTeeth={differingTeeth} />
          {row.restoredFrom !== null && (
            <Text size="sm" c="dimmed">
              {t("chart.history.restored", { version: row.restoredFrom })}
            </Text>
          )}
        </div>
        <Group gap="sm" align="flex-end">
          <CompareWith
            versions={versions.filter((one) => one.version !== version)}
            comparedVersion={comparedVersion}
            onCompare={setComparedVersion}
          />
          {version < last && <Restore {...{ patientId, newest, version, hasUnsaved }} onDone={() => setChosen(null)} />}
        </Group>
      </Group>
      {shown.data && (
        <TeethRows
          content={shown.data.content}
          set={getShownSet(set, shown.data.content)}
          at={at}
          changed={differingTeeth}
          onSelect={setSelectedTooth}
        />
      )}
    </Stack>
  );
}

interface VersionSliderProps {
  versions: readonly ChartVersion[];
  first: number;
  last: number;
  version: number;
  onVersion: (version: number) => void;
}
const maxMarks = 40;
function VersionSlider({ versions, first, last, version, onVersion }: VersionSliderProps) {
  const t = useTexts("chart");
  return (
    <Slider
      mt="md"
      thumbLabel={t("chart.history.slider")}
      min={first}
      max={last}
      step={1}
      value={version}
      onChange={onVersion}
      label={String}
      marks={versions.length <= maxMarks ? versions.map((one) => ({ value: one.version })) : []}
    />
  );
}

interface CompareWithProps {
  versions: readonly ChartVersion[];
  comparedVersion: number | null;
  onCompare: (version: number | null) => void;
}
function CompareWith({ versions, comparedVersion, onCompare }: CompareWithProps) {
  const t = useTexts("chart");
  const options = versions.map(({ version, at, by }) => ({
    value: String(version),
    label: t("chart.history.version", { version, time: formatTimestamp(at), name: by.name }),
  }));
  return (
    <NativeSelect
      size="xs"
      label={t("chart.history.compare")}
      data={[{ value: "", label: t("chart.history.before") }, ...options]}
      value={comparedVersion === null ? "" : String(comparedVersion)}
      onChange={(event) => onCompare(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}
    />
  );
}

function DifferenceText({
  comparedVersion,
  differingTeeth,
}: {
  comparedVersion: number | null;
  differingTeeth: number[];
}) {
  const t = useTexts("chart");
  const teeth = useToothNames().text(differingTeeth);
  if (comparedVersion === null) return <Text size="sm">{t("chart.history.changed", { teeth })}</Text>;
  const key = differingTeeth.length === 0 ? "chart.history.same" : "chart.history.differs";
  return <Text size="sm">{t(key, { version: comparedVersion, teeth })}</Text>;
}

interface RestoreProps {
  patientId: string;
  newest: Chart;
  version: number;
  hasUnsaved: boolean;
  onDone: () => void;
}
function Restore({ patientId, newest, version, hasUnsaved, onDone }: RestoreProps) {
  const t = useTexts("chart");
  const [isConfirming, setConfirming] = useState(false);
  const restoring = useCommand(chartCalls.restore);
  const restore = async () => {
    const done = await restoring.run({ patientId, version: newest.version, from: version });
    setConfirming(false);
    if (!done) return;
    toast("success", t("chart.saved"));
    onDone();
  };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        disabled={hasUnsaved}
        title={hasUnsaved ? t("chart.history.saveFirst") : undefined}
        onClick={() => setConfirming(true)}
      >
        {t("chart.history.restore")}
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => void restore()}
        title={t("chart.history.restore")}
        text={t("chart.history.restoreText")}
        confirm={t("chart.history.restore")}
        busy={restoring.busy}
      />
    </>
  );
}
