import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconColumns, IconDownload, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { studyDownloadCalls, studyDownloadRules } from "@arcada/contract/study/study-download.calls";
import { isImageKind } from "@arcada/contract/study/study.rules";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { ScreenLink } from "../browser/navigation.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { DownloadStudies } from "./download-studies.tsx";
import { getCalendarDay } from "./study-kinds.ts";
import classes from "./study-collection.module.css";

export interface StudySelection {
  ids: ReadonlySet<string>;
  toggle: (id: string) => void;
  clear: () => void;
}

export function useStudySelection(): StudySelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    toggle: (id) =>
      setIds((now) => (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id]))),
    clear: () => setIds(new Set()),
  };
}

interface SelectionBarProps {
  studies: readonly StudyRow[];
  selection: StudySelection;
  patientId: string;
}

/** The actions on the selected studies: two images can be compared, any number downloaded. */
export function SelectionBar({ studies, selection, patientId }: SelectionBarProps) {
  const t = useTexts("study");
  const mayDownload = useCanAccess(studyDownloadCalls.download);
  const [isDownloading, download] = useDisclosure(false);
  const chosen = studies.filter(({ id }) => selection.ids.has(id));
  if (chosen.length === 0) return null;
  // The older image is on the left.
  const pair = chosen.toSorted((one, other) => getCalendarDay(one).localeCompare(getCalendarDay(other)));
  const canCompare = pair.length === 2 && pair.every(({ kind }) => isImageKind(kind));
  return (
    <div className={classes.selected}>
      <div className={classes.words} role="status">
        <Text size="sm" fw={600} className="arcada-figures">
          {t("study.selection", { count: chosen.length })}
        </Text>
        {!canCompare && (
          <Text size="xs" c="dimmed">
            {t(chosen.length === 1 && isImageKind(chosen[0]!.kind) ? "study.selectionHint" : "study.selectionTwo")}
          </Text>
        )}
      </div>
      <Group gap="xs">
        {canCompare && (
          <Button
            component={ScreenLink}
            screen="compare"
            search={{ patient: patientId, left: pair[0]!.id, right: pair[1]!.id }}
            size="sm"
            leftSection={<IconColumns size={16} aria-hidden />}
          >
            {t("study.compare")}
          </Button>
        )}
        {mayDownload && (
          <Button
            size="sm"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={download.open}
          >
            {t("study.download.action")}
          </Button>
        )}
        <Button
          size="sm"
          variant="subtle"
          color="gray"
          leftSection={<IconX size={16} aria-hidden />}
          onClick={selection.clear}
        >
          {t("study.clearSelection")}
        </Button>
      </Group>
      <DownloadStudies
        studies={chosen.slice(0, studyDownloadRules.maxStudies)}
        patientId={patientId}
        opened={isDownloading}
        onClose={download.close}
      />
    </div>
  );
}
