import { ActionIcon, Badge, Button, Group, SegmentedControl, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import { findUnassessedTeeth } from "@arcada/contract/chart/chart.rules";
import { toothSets } from "@arcada/contract/chart/expected-teeth-at-age";
import type { ToothSet } from "@arcada/contract/chart/expected-teeth-at-age";
import { useTexts } from "../i18n/texts.ts";
import { useToothSchemes } from "../i18n/tooth-notation.ts";
import { ToothNotationSelect } from "../ui/tooth-chart/tooth-notation-select.tsx";
import { listRemaining, withAllConfirmed, withRemainingSound } from "./chart-edit.ts";
import type { ChartAuthor } from "./chart-edit.ts";
import type { ChartEditor } from "./use-chart-editor.ts";

/** Selects the teeth that are shown and their numbering scheme. */
export function TeethSelection({ set, onSet }: { set: ToothSet; onSet: (set: ToothSet) => void }) {
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
      <ToothNotationSelect {...schemes} />
    </Group>
  );
}

interface ChartActionsProps {
  editor: ChartEditor;
  set: ToothSet;
  years: number | null;
  author: ChartAuthor;
}
/** The number of teeth that are not assessed, and the buttons to undo and save. */
export function ChartActions({ editor, set, years, author }: ChartActionsProps) {
  const t = useTexts("chart");
  const { content, changed, busy } = editor;
  const open = findUnassessedTeeth(content, set).length;
  const remaining = listRemaining(content, years, set).length;
  const confirmed = withAllConfirmed(content, author);
  const isBlocked = editor.conflict !== null;
  return (
    <Group gap="sm" justify="space-between">
      <Group gap="sm">
        <Badge size="lg" variant="light" color={open > 0 ? "gray" : "teal"} tt="none" role="status">
          {open > 0 ? t("chart.notAssessed", { count: open }) : t("chart.allAssessed")}
        </Badge>
        {remaining > 0 && (
          <Tooltip label={t("chart.restSoundHelp")} multiline maw={320}>
            <Button size="xs" variant="default" onClick={() => editor.write(withRemainingSound(content, years, set))}>
              {t("chart.restSound", { count: remaining })}
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
          <Button size="xs" variant="subtle" onClick={editor.discard}>
            {t("chart.discard")}
          </Button>
        )}
        <HistoryButton
          label={t("chart.undo")}
          Icon={IconArrowBackUp}
          isEnabled={editor.mayUndo}
          onClick={editor.undo}
        />
        <HistoryButton
          label={t("chart.redo")}
          Icon={IconArrowForwardUp}
          isEnabled={editor.mayRedo}
          onClick={editor.redo}
        />
        <Button
          size="xs"
          variant="default"
          loading={busy}
          disabled={changed.length === 0 || isBlocked}
          onClick={() => void editor.save()}
        >
          {t("chart.save")}
        </Button>
        <Tooltip label={t("chart.saveConfirmHelp")} multiline maw={320}>
          <Button
            size="xs"
            loading={busy}
            disabled={
              isBlocked || (changed.length === 0 && confirmed.teeth.every((tooth) => content.teeth.includes(tooth)))
            }
            onClick={() => void editor.save(confirmed)}
          >
            {t("chart.saveConfirm")}
          </Button>
        </Tooltip>
      </Group>
    </Group>
  );
}

interface HistoryButtonProps {
  label: string;
  Icon: typeof IconArrowBackUp;
  isEnabled: boolean;
  onClick: () => void;
}
function HistoryButton({ label, Icon, isEnabled, onClick }: HistoryButtonProps) {
  return (
    <ActionIcon variant="default" size={30} aria-label={label} title={label} disabled={!isEnabled} onClick={onClick}>
      <Icon size={18} />
    </ActionIcon>
  );
}
