import { Alert, Button, Text } from "@mantine/core";
import { IconExternalLink, IconUsers } from "@tabler/icons-react";
import { formatDay } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import type { RefusalError } from "../data/call-errors.ts";
import { useTexts } from "../i18n/texts.ts";
import classes from "./patient-form.module.css";

interface Candidate {
  id: string;
  name: string;
  number: string;
  birthDate: string | null;
}
interface DuplicatesProps {
  refused: RefusalError;
  isBusy: boolean;
  onSaveAnyway: () => void;
}

/** Possible duplicates of the patient. They open in a new tab, so that the typed values stay. */
export function PatientDuplicates({ refused, isBusy, onSaveAnyway }: DuplicatesProps) {
  const t = useTexts("patient");
  const { candidates } = refused.details as { candidates: Candidate[] };
  return (
    <Alert
      classNames={{ title: classes.alertTitle }}
      color="yellow"
      icon={<IconUsers size={18} />}
      title={t("patient.duplicate.title", { count: candidates.length })}
      role="alert"
    >
      <Text size="sm">{refused.msg}</Text>
      <ul className={classes.candidates}>
        {candidates.map((candidate) => (
          <li key={candidate.id} className={classes.candidate}>
            <Text size="sm" span>
              <b>{candidate.name}</b> · {candidate.number} · {formatDay(candidate.birthDate)}
            </Text>
            <Button
              component={ScreenLink}
              screen="patientDetail"
              search={{ id: candidate.id }}
              target="_blank"
              variant="default"
              size="compact-sm"
              rightSection={<IconExternalLink size={14} aria-hidden />}
            >
              {t("common.open")}
            </Button>
          </li>
        ))}
      </ul>
      <Button size="xs" variant="default" loading={isBusy} onClick={onSaveAnyway}>
        {t("patient.duplicate.saveEven")}
      </Button>
    </Alert>
  );
}
