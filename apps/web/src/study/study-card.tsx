import { ActionIcon, Badge, Checkbox, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconDotsVertical,
  IconDownload,
  IconInfoCircle,
  IconSend,
  IconTrash,
  IconUserShare,
} from "@tabler/icons-react";
import { moveStudyCalls } from "@arcada/contract/study/move-study.calls";
import { studyDownloadCalls } from "@arcada/contract/study/study-download.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { StudyRow } from "@arcada/contract/study/study.schema";
import { formatBytes, formatTimestamp } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { useCanAccess } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { AssignStudy } from "./inbox/assign-study.tsx";
import { DownloadStudies } from "./download-studies.tsx";
import { formatStudyDay, getViewer } from "./study-kinds.ts";
import { pacsCalls } from "@arcada/contract/pacs/pacs.calls";
import { SendToPacs } from "./send-to-pacs.tsx";
import { ReconvertMenuItem } from "./reconvert-study.tsx";
import { RemoveStudy } from "./remove-study.tsx";
import { StudyThumbnail } from "./study-thumbnail.tsx";
import classes from "./study-card.module.css";

interface StudyCardProps {
  study: StudyRow;
  /** The property that the surrounding group does not show already. */
  shownField: "date" | "kind";
  /** True for the one card of a wall that the Tab key reaches. */
  isTabStop: boolean;
  isChosen: boolean;
  onChoose: () => void;
  onFocus: () => void;
  onDetails: () => void;
}

/** One study: a preview, and the link to its viewer. */
export function StudyCard({ study, shownField, isTabStop, isChosen, onChoose, onFocus, onDetails }: StudyCardProps) {
  const t = useTexts("study");
  const kind = t(study.photoView ? `study.photoSeries.view.${study.photoView}` : `study.kind.${study.kind}`);
  const day = formatStudyDay(study);
  const tabIndex = isTabStop ? 0 : -1;
  return (
    <li className={classes.card} data-kind={study.kind} data-chosen={isChosen || undefined} onFocus={onFocus}>
      <StudyThumbnail study={study} className={classes.picture} />
      <Checkbox
        className={classes.choice}
        aria-label={t("study.choose", { kind, day })}
        tabIndex={tabIndex}
        checked={isChosen}
        onChange={onChoose}
      />
      {!study.kindCertain && (
        <Badge className={classes.guess} size="sm" color="yellow" variant="filled" title={t("study.guessHint")}>
          {t("study.guess")}
        </Badge>
      )}
      <div className={classes.foot}>
        <div className={classes.words}>
          <ScreenLink
            screen={getViewer(study.kind)}
            search={{ study: study.id }}
            className={classes.link}
            data-study={study.id}
            tabIndex={tabIndex}
            aria-label={t("study.open", { kind, day })}
            title={study.takenAt ? formatTimestamp(study.takenAt) : t("study.undated")}
          >
            {shownField === "date" ? day : kind}
          </ScreenLink>
          <Text size="xs" c="dimmed" truncate className="arcada-figures">
            {describeStudy(t, study)}
          </Text>
        </div>
        <CardMenu study={study} tabIndex={tabIndex} onDetails={onDetails} />
      </div>
    </li>
  );
}

const describeStudy = (t: Translate, { takenAt, description, count, bytes }: StudyRow): string =>
  [formatBytes(bytes), count > 1 && t("study.files", { count }), !takenAt && t("study.cameDay"), description]
    .filter(Boolean)
    .join(" · ");

function CardMenu({ study, tabIndex, onDetails }: Pick<StudyCardProps, "study" | "onDetails"> & { tabIndex: number }) {
  const t = useTexts("study", "inbox", "pacs");
  const maySend = useCanAccess(pacsCalls.send) && study.patientId !== null;
  const [isSending, sending] = useDisclosure(false);
  const mayMove = useCanAccess(moveStudyCalls.move);
  const mayDownload = useCanAccess(studyDownloadCalls.download) && study.patientId !== null;
  const mayRemove = useCanAccess(studyCalls.remove);
  const [isMoving, moving] = useDisclosure(false);
  const [isDownloading, downloading] = useDisclosure(false);
  const [isRemoving, removing] = useDisclosure(false);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            className={classes.menu}
            variant="subtle"
            color="gray"
            size={24}
            tabIndex={tabIndex}
            aria-label={t("study.actions", { kind: t(`study.kind.${study.kind}`), day: formatStudyDay(study) })}
          >
            <IconDotsVertical size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconInfoCircle size={16} aria-hidden />} onClick={onDetails}>
            {t("study.details")}
          </Menu.Item>
          {mayDownload && (
            <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={downloading.open}>
              {t("study.download.action")}
            </Menu.Item>
          )}
          {maySend && (
            <Menu.Item leftSection={<IconSend size={16} aria-hidden />} onClick={sending.open}>
              {t("pacs.send")}
            </Menu.Item>
          )}
          <ReconvertMenuItem study={study} />
          {mayMove && (
            <Menu.Item leftSection={<IconUserShare size={16} aria-hidden />} onClick={moving.open}>
              {t("inbox.move.action")}
            </Menu.Item>
          )}
          {mayRemove && (
            <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={removing.open}>
              {t("study.removing.action")}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {study.patientId && (
        <DownloadStudies
          studies={[study]}
          patientId={study.patientId}
          opened={isDownloading}
          onClose={downloading.close}
        />
      )}
      <SendToPacs studyId={study.id} opened={isSending} onClose={sending.close} />
      <AssignStudy study={study} opened={isMoving} onClose={moving.close} />
      <RemoveStudy study={study} opened={isRemoving} onClose={removing.close} />
    </>
  );
}
