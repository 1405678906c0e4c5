import { Alert, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";
import { useState } from "react";
import type { Chart } from "@arcada/contract/chart/chart.calls";
import type { Meeting } from "@arcada/contract/chart/chart.changes";
import { toothIn } from "@arcada/contract/chart/chart.rules";
import type { ChartContent } from "@arcada/contract/chart/chart.shape";
import { useTexts } from "../kernel/texts.ts";
import { useTeeth } from "../kernel/tooth.ts";
import { toothWords } from "./chart-words.ts";

interface ChartConflictProps {
  newest: Chart;
  mine: ChartContent;
  meeting: Meeting;
  onJoin: (keepMine: readonly number[]) => void;
  onDiscard: () => void;
}

/**
 * Another user has saved since. Shows their changes and one's own, and lets the user decide on teeth that both changed.
 */
export function ChartConflict({ newest, mine, meeting, onJoin, onDiscard }: ChartConflictProps) {
  const t = useTexts("chart");
  const teeth = useTeeth();
  const [theirs, setTheirs] = useState<readonly number[]>([]);
  const keepMine = meeting.both.filter((fdi) => !theirs.includes(fdi));
  const said = (fdi: number, content: ChartContent) => toothWords(t, toothIn(content, fdi));
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconUsers size={18} />}
      title={t("chart.conflict.title", { name: newest.by?.name ?? t("chart.someone") })}
    >
      <Stack gap="sm">
        <div>
          {meeting.theirs.length > 0 && (
            <Text size="sm">{t("chart.conflict.theirs", { teeth: teeth.text(meeting.theirs) })}</Text>
          )}
          {meeting.mine.length > 0 && (
            <Text size="sm">{t("chart.conflict.mine", { teeth: teeth.text(meeting.mine) })}</Text>
          )}
          {meeting.both.length > 0 && <Text size="sm">{t("chart.conflict.both")}</Text>}
        </div>
        {meeting.both.map((fdi) => (
          <Group key={fdi} gap="sm">
            <Text size="sm" fw={600}>
              {teeth.name(fdi)}
            </Text>
            <SegmentedControl
              size="xs"
              orientation="vertical"
              aria-label={teeth.spoken(fdi)}
              data={[
                { value: "mine", label: t("chart.conflict.keepMine", { what: said(fdi, mine) }) },
                { value: "theirs", label: t("chart.conflict.keepTheirs", { what: said(fdi, newest.content) }) },
              ]}
              value={theirs.includes(fdi) ? "theirs" : "mine"}
              onChange={(whose) =>
                setTheirs((now) => (whose === "theirs" ? [...now, fdi] : now.filter((one) => one !== fdi)))
              }
            />
          </Group>
        ))}
        <Group gap="sm">
          <Button size="xs" onClick={() => onJoin(keepMine)}>
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
