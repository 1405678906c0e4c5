import { ActionIcon, Badge, Button, Group, SegmentedControl, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import { notAssessed } from "@arcada/contract/chart/chart.rules";
import { toothSets } from "@arcada/contract/chart/dentition";
import type { ToothSet } from "@arcada/contract/chart/dentition";
import { useTexts } from "../kernel/texts.ts";
import { useToothSchemes } from "../kernel/tooth.ts";
import { ToothSchemes } from "../ui/tooth-schemes.tsx";
import { restOf, withAllConfirmed, withRestSound } from "./chart-edit.ts";
import type { Hand } from "./chart-edit.ts";
import type { ChartWriting } from "./use-chart.ts";

/** Selects the teeth that are shown and their numbering scheme. */
export function ShownTeeth({ set, onSet }: { set: ToothSet; onSet: (set: ToothSet) => void }) {
  const t = useTexts("chart");
  const schemes = useToothSchemes();
  return (
    <Group gap="sm">
      <SegmentedControl
        size="xs"
        aria-label={t("chart.sets")}
        data={toothSets.map((value) => ({ value, label: t(`chart.set.${value}`) }))}
        value={set}
        onChange={onSet}
      />
      <ToothSchemes {...schemes} />
    </Group>
  );
}

interface ChartActionsProps {
  writing: ChartWriting;
  set: ToothSet;
  years: number | null;
  hand: Hand;
}
/** The number of teeth that are not assessed, and the buttons to undo and save. */
export function ChartActions({ writing, set, years, hand }: ChartActionsProps) {
  const t = useTexts("chart");
  const { content, changed, busy } = writing;
  const open = notAssessed(content, set).length;
  const rest = restOf(content, years, set).length;
  const confirmed = withAllConfirmed(content, hand);
  const waits = writing.meeting !== null;
  return (
    <Group gap="sm" justify="space-between">
      <Group gap="sm">
        <Badge size="lg" variant="light" color={open > 0 ? "gray" : "teal"} tt="none" role="status">
          {open > 0 ? t("chart.notAssessed", { count: open }) : t("chart.allAssessed")}
        </Badge>
        {rest > 0 && (
          <Tooltip label={t("chart.restSoundHelp")} multiline maw={320}>
            <Button size="xs" variant="default" onClick={() => writing.write(withRestSound(content, years, set))}>
              {t("chart.restSound", { count: rest })}
            </Button>
          </Tooltip>
        )}
      </Group>
      <Group gap="xs">
        {changed.length > 0 && (
          <Badge size="lg" variant="light" color="orange" tt="none" role="status">
            {t("chart.unsaved", { count: changed.length })}
          </Badge>
        )}
        {changed.length > 0 && (
          <Button size="xs" variant="subtle" onClick={writing.discard}>
            {t("chart.discard")}
          </Button>
        )}
        <Step label={t("chart.undo")} Icon={IconArrowBackUp} may={writing.mayUndo} onClick={writing.undo} />
        <Step label={t("chart.redo")} Icon={IconArrowForwardUp} may={writing.mayRedo} onClick={writing.redo} />
        <Button
          size="xs"
          variant="default"
          loading={busy}
          disabled={changed.length === 0 || waits}
          onClick={() => void writing.save()}
        >
          {t("chart.save")}
        </Button>
        <Tooltip label={t("chart.saveConfirmHelp")} multiline maw={320}>
          <Button
            size="xs"
            loading={busy}
            disabled={
              waits || (changed.length === 0 && confirmed.teeth.every((tooth) => content.teeth.includes(tooth)))
            }
            onClick={() => void writing.save(confirmed)}
          >
            {t("chart.saveConfirm")}
          </Button>
        </Tooltip>
      </Group>
    </Group>
  );
}

interface StepProps {
  label: string;
  Icon: typeof IconArrowBackUp;
  may: boolean;
  onClick: () => void;
}
function Step({ label, Icon, may, onClick }: StepProps) {
  return (
    <ActionIcon variant="default" size={30} aria-label={label} title={label} disabled={!may} onClick={onClick}>
      <Icon size={18} />
    </ActionIcon>
  );
}
