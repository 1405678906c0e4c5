import { ActionIcon, Badge, Checkbox, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDotsVertical, IconDownload, IconInfoCircle, IconTrash, IconUserShare } from "@tabler/icons-react";
import { inboxCalls } from "@arcada/contract/study/inbox.calls";
import { outgoingCalls } from "@arcada/contract/study/outgoing.calls";
import { studyCalls } from "@arcada/contract/study/study.calls";
import type { StudyRow } from "@arcada/contract/study/study.calls";
import { showTime } from "../kernel/format.ts";
import { ScreenLink } from "../kernel/link.tsx";
import { useMay } from "../kernel/permit.tsx";
import { useTexts } from "../kernel/texts.ts";
import type { Translate } from "../kernel/texts.ts";
import { GiveStudy } from "./give-study.tsx";
import { DownloadStudies } from "./study-download.tsx";
import { dayOf, viewerOf } from "./study-kinds.ts";
import { PrepareAgainItem } from "./study-prepare.tsx";
import { RemoveStudy } from "./study-remove.tsx";
import { StudyThumbnail } from "./study-thumbnail.tsx";
import classes from "./study-card.module.css";

interface StudyCardProps {
  study: StudyRow;
  /** The property that the surrounding group does not show already. */
  shows: "date" | "kind";
  onDetails: () => void;
  /** Makes the study selectable. */
  choice?: { isChosen: boolean; onChoose: () => void };
}

/** One study: a preview, and the link to its viewer. */
export function StudyCard({ study, shows, onDetails, choice }: StudyCardProps) {
  const t = useTexts("study");
  const kind = t(`study.kind.${study.kind}`);
  const day = dayOf(study);
  return (
    <li className={classes.card}>
      <StudyThumbnail study={study} className={classes.picture} />
      {choice && (
        <Checkbox
          className={classes.choice}
          aria-label={t("study.choose", { kind, day })}
          checked={choice.isChosen}
          onChange={choice.onChoose}
        />
      )}
      {!study.kindCertain && (
        <Badge className={classes.guess} size="sm" color="yellow" variant="filled" title={t("study.guessHint")}>
          {t("study.guess")}
        </Badge>
      )}
      <div className={classes.foot}>
        <div className={classes.words}>
          <ScreenLink
            screen={viewerOf(study.kind)}
            search={{ study: study.id }}
            className={classes.link}
            aria-label={t("study.open", { kind, day })}
            title={study.takenAt ? showTime(study.takenAt) : t("study.undated")}
          >
            {shows === "date" ? day : kind}
          </ScreenLink>
          <Text size="xs" c="dimmed" truncate>
            {about(t, study)}
          </Text>
        </div>
        <CardMenu study={study} onDetails={onDetails} />
      </div>
    </li>
  );
}

const about = (t: Translate, { takenAt, description, count }: StudyRow): string =>
  [!takenAt && t("study.cameDay"), description, (count > 1 || !description) && t("study.files", { count })]
    .filter(Boolean)
    .join(" · ");

function CardMenu({ study, onDetails }: Pick<StudyCardProps, "study" | "onDetails">) {
  const t = useTexts("study", "inbox");
  const mayMove = useMay(inboxCalls.move);
  const mayDownload = useMay(outgoingCalls.download) && study.patientId !== null;
  const mayRemove = useMay(studyCalls.remove);
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
            aria-label={t("study.actions", { kind: t(`study.kind.${study.kind}`), day: dayOf(study) })}
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
          <PrepareAgainItem study={study} />
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
      <GiveStudy study={study} opened={isMoving} onClose={moving.close} />
      <RemoveStudy study={study} opened={isRemoving} onClose={removing.close} />
    </>
  );
}
