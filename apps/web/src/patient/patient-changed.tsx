import { Alert, Button, Group, Text } from "@mantine/core";
import { IconUserEdit } from "@tabler/icons-react";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { useTexts } from "../kernel/texts.ts";
import { differences, valuesOf } from "./patient-values.ts";
import classes from "./patient-form.module.css";

interface ChangedProps {
  seen: Patient;
  /** The record as it is now. */
  now: Patient;
  onTake: (now: Patient) => void;
  onMerge: (now: Patient) => void;
}

/** Another user saved first. Offers to take their record, or to merge one's own changes into it. */
export function PatientChanged({ seen, now, onTake, onMerge }: ChangedProps) {
  const t = useTexts("patient");
  if (seen.version === now.version)
    return (
      <Alert color="blue" icon={<IconUserEdit size={18} />} role="status">
        {t("patient.changed.merged")}
      </Alert>
    );
  return (
    <Alert
      classNames={{ title: classes.alertTitle }}
      color="yellow"
      icon={<IconUserEdit size={18} />}
      title={t("patient.changed.title")}
      role="alert"
    >
      <Text size="sm">{t("patient.changed.text")}</Text>
      <ul className={classes.changes}>
        {differences(valuesOf(seen), valuesOf(now)).map((field) => (
          <li key={field}>{t(`patient.field.${field}`)}</li>
        ))}
      </ul>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => onTake(now)}>
          {t("patient.changed.take")}
        </Button>
        <Button size="xs" variant="default" onClick={() => onMerge(now)}>
          {t("patient.changed.merge")}
        </Button>
      </Group>
    </Alert>
  );
}
