import { Alert, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useState } from "react";
import type { Chart } from "@arcada/contract/chart/chart.calls";
import type { ChartMerge } from "@arcada/contract/chart/chart.changes";
import { findTooth } from "@arcada/contract/chart/chart.rules";
import type { ChartContent } from "@arcada/contract/chart/chart.schema";
import { useTexts } from "../i18n/texts.ts";
import { useToothNames } from "../i18n/tooth-notation.ts";
import { describeTooth } from "./chart-text.ts";

interface ChartConflictProps {
  newest: Chart;
  mine: ChartContent;
  conflict: ChartMerge;
  onMerge: (keepMine: readonly number[]) => void;
  onDiscard: () => void;
}

/**
 * Another user has saved since. Shows their changes and one's own, and lets the user decide on teeth that both changed.
 */
export function ChartConflict({ newest, mine, conflict, onMerge, onDiscard }: ChartConflictProps) {
  const t = useTexts("chart");
  const teeth = useToothNames();
  const [takenFromTheirs, setTakenFromTheirs] = useState<readonly number[]>([]);
  const keepMine = conflict.both.filter((fdi) => !takenFromTheirs.includes(fdi));
  const describe = (fdi: number, content: ChartContent) => describeTooth(t, findTooth(content, fdi));
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconUsers size={18} />}
      title={t("chart.conflict.title", { name: newest.by?.name ?? t("chart.someone") })}
    >
      <Stack gap="sm">
        <div>
          {conflict.theirs.length > 0 && (
            <Text size="sm">{t("chart.conflict.theirs", { teeth: teeth.text(conflict.theirs) })}</Text>
          )}
          {conflict.mine.length > 0 && (
            <Text size="sm">{t("chart.conflict.mine", { teeth: teeth.text(conflict.mine) })}</Text>
          )}
          {conflict.both.length > 0 && <Text size="sm">{t("chart.conflict.both")}</Text>}
        </div>
        {conflict.both.map((fdi) => (
          <Group key={fdi} gap="sm">
            <Text size="sm" fw={600}>
              {teeth.name(fdi)}
            </Text>
            <SegmentedControl
              size="xs"
              orientation="vertical"
              aria-label={teeth.spoken(fdi)}
              data={[
                { value: "mine", label: t("chart.conflict.keepMine", { what: describe(fdi, mine) }) },
                { value: "theirs", label: t("chart.conflict.keepTheirs", { what: describe(fdi, newest.content) }) },
              ]}
              value={takenFromTheirs.includes(fdi) ? "theirs" : "mine"}
              onChange={(choice) =>
                setTakenFromTheirs((now) => (choice === "theirs" ? [...now, fdi] : now.filter((one) => one !== fdi)))
              }
            />
          </Group>
        ))}
        <Group gap="sm">
          <Button size="xs" onClick={() => onMerge(keepMine)}>
            {t("chart.conflict.keepBoth")}
          </Button>
          <Button size="xs" variant="default" onClick={onDiscard}>
            {t("chart.conflict.takeTheirs")}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
