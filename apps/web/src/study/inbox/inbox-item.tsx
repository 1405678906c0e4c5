import { ActionIcon, Badge, Button, Group, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDotsVertical, IconTrash, IconUserPlus, IconUserSearch } from "@tabler/icons-react";
import { useState } from "react";
import type { Candidate, InboxRow } from "@arcada/contract/study/inbox.calls";
import { formatDay, formatTimestamp } from "../../i18n/format.ts";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { findDifferences } from "./candidate-differences.ts";
import { PatientIdentity } from "./choose-patient.tsx";
import { AssignStudy, useStudyAssignment } from "./assign-study.tsx";
import { GuessedNameBadge } from "../guessed-name-badge.tsx";
import { getViewer } from "../study-kinds.ts";
import { RemoveStudy } from "../remove-study.tsx";
import { StudyThumbnail } from "../study-thumbnail.tsx";
import classes from "./inbox.module.css";

interface ItemProps {
  study: InboxRow;
  onNewPatient: (study: InboxRow) => void;
  /** Called when the study has left the inbox. */
  onGone: () => void;
}

/** A study in the inbox: the data from its files, possible patients, and actions. */
export function InboxItem({ study, onNewPatient, onGone }: ItemProps) {
  const t = useTexts("inbox", "study");
  const kind = t(`study.kind.${study.kind}`);
  const facts = [study.description, study.modality, t("study.files", { count: study.count })].filter(Boolean);
  return (
    <li className={classes.item}>
      <ScreenLink
        screen={getViewer(study.kind)}
        search={{ study: study.id }}
        className={classes.look}
        aria-label={t("study.open", { kind, day: formatDay(study.takenAt ?? study.createdAt) })}
      >
        <StudyThumbnail study={study} className={classes.picture} />
      </ScreenLink>
      <div className={classes.facts}>
        <NamedPerson study={study} />
        <Text size="xs" c="dimmed">
          {[kind, ...facts].join(" · ")}
        </Text>
        <Text size="xs" c="dimmed" className="arcada-figures">
          {[t("inbox.came", { time: formatTimestamp(study.createdAt) }), t(`inbox.origin.${study.origin}`)].join(" · ")}
        </Text>
      </div>
      <AssignmentActions study={study} onNewPatient={onNewPatient} onGone={onGone} />
    </li>
  );
}

function NamedPerson({ study: { person } }: { study: InboxRow }) {
  const t = useTexts("inbox", "common");
  if (!person)
    return (
      <Text size="sm" fw={600}>
        {t("inbox.nobody")}
      </Text>
    );
  return (
    <>
      <Text size="xs" c="dimmed">
        {t("inbox.inFiles")}
      </Text>
      <Group gap={8}>
        <Text fw={650} className={classes.name}>
          {person.name || t("common.unknown")}
        </Text>
        {person.guessed && <GuessedNameBadge />}
      </Group>
      <Text size="sm" className="arcada-figures">
        {[
          person.sex && t(`common.sex.${person.sex}`),
          person.birthDate && formatDay(person.birthDate),
          person.number && t("inbox.number", { number: person.number }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </Text>
    </>
  );
}

function AssignmentActions({ study, onNewPatient, onGone }: ItemProps) {
  const t = useTexts("inbox");
  const assignment = useStudyAssignment(study);
  const [attempted, setAttempted] = useState<Candidate | null>(null);
  const [isChoosing, choosing] = useDisclosure(false);
  const attach = async (candidate: Candidate) => {
    setAttempted(candidate);
    if (await assignment.assign(candidate)) onGone();
  };
  const mismatch = assignment.mismatch;
  return (
    <div className={classes.choices}>
      <Text size="xs" c="dimmed">
        {t(study.candidates.length > 0 ? "inbox.candidates" : "inbox.noCandidates")}
      </Text>
      {study.candidates.length > 0 && (
        <ul className={classes.candidates} aria-label={t("inbox.candidates")}>
          {study.candidates.map((candidate) => (
            <CandidateRow
              key={candidate.id}
              candidate={candidate}
              person={study.person}
              isBusy={assignment.isBusy}
              onAttach={() => void attach(candidate)}
            />
          ))}
        </ul>
      )}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconUserSearch size={16} aria-hidden />}
          onClick={choosing.open}
        >
          {t("inbox.another")}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconUserPlus size={16} aria-hidden />}
          onClick={() => onNewPatient(study)}
        >
          {t("inbox.newPatient")}
        </Button>
        <MoreMenu study={study} onGone={onGone} />
      </Group>
      <AssignStudy study={study} opened={isChoosing} onClose={choosing.close} onAssigned={onGone} />
      {attempted && mismatch && (
        <AssignStudy
          study={study}
          opened
          onClose={assignment.forget}
          onAssigned={onGone}
          preset={{ patient: attempted, mismatch }}
        />
      )}
    </div>
  );
}

function CandidateRow({
  candidate,
  person,
  isBusy,
  onAttach,
}: {
  candidate: Candidate;
  person: InboxRow["person"];
  isBusy: boolean;
  onAttach: () => void;
}) {
  const t = useTexts("inbox");
  return (
    <li className={classes.candidate}>
      <PatientIdentity patient={candidate} />
      <Group gap={6} className={classes.agrees}>
        {candidate.agrees.map((one) => (
          <Badge key={one} size="sm" variant="light" color="teal">
            {t(`inbox.agrees.${one}`)}
          </Badge>
        ))}
        {findDifferences(person, candidate).map((one) => (
          <Badge key={`differs-${one}`} size="sm" variant="light" color="red">
            {t(`inbox.differs.${one}`)}
          </Badge>
        ))}
      </Group>
      <Button
        size="compact-sm"
        disabled={isBusy}
        aria-label={t("inbox.attachTo", { name: candidate.name, number: candidate.number })}
        onClick={onAttach}
      >
        {t("inbox.attach")}
      </Button>
    </li>
  );
}

function MoreMenu({ study, onGone }: Pick<ItemProps, "study" | "onGone">) {
  const t = useTexts("inbox", "study");
  const [isRemoving, removing] = useDisclosure(false);
  const name = study.person?.name || t("inbox.nobody");
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={30} aria-label={t("inbox.actions", { name })}>
            <IconDotsVertical size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={removing.open}>
            {t("study.removing.action")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RemoveStudy study={study} opened={isRemoving} onClose={removing.close} onRemoved={onGone} />
    </>
  );
}
