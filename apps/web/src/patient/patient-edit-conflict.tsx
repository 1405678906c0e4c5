import { Alert, Button, Group, Text } from "@mantine/core";
import { IconUserEdit } from "@tabler/icons-react";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { useTexts } from "../i18n/texts.ts";
import { findDifferences, toValues } from "./patient-form-values.ts";
import classes from "./patient-form.module.css";

interface PatientConflictProps {
  base: Patient;
  /** The record as it is now. */
  current: Patient;
  onTakeTheirs: (current: Patient) => void;
  onMerge: (current: Patient) => void;
}

/** Another user saved first. Offers to take their record, or to merge one's own changes into it. */
export function PatientConflict({ base, current, onTakeTheirs, onMerge }: PatientConflictProps) {
  const t = useTexts("patient");
  if (base.version === current.version)
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
        {findDifferences(toValues(base), toValues(current)).map(
          (field) => field !== "evenIfDuplicate" && <li key={field}>{t(`patient.field.${field}`)}</li>,
        )}
      </ul>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={() => onTakeTheirs(current)}>
          {t("patient.changed.take")}
        </Button>
        <Button size="xs" variant="default" onClick={() => onMerge(current)}>
          {t("patient.changed.merge")}
        </Button>
      </Group>
    </Alert>
  );
}
