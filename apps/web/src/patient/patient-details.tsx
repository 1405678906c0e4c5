import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { formatDay } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { Section } from "../ui/page.tsx";
import { PatientForm } from "./patient-form.tsx";
import { formatField } from "./format-field.ts";
import { detailsOfGroup } from "./patient-form-values.ts";
import classes from "./patient-record.module.css";

/** The patient's record. Empty fields are not shown. */
export function PatientRecord({ patient }: { patient: Patient }) {
  const t = useTexts("patient");
  const groups = listGroups(t, patient).filter(({ rows }) => rows.length > 0);
  return (
    <Section title={t("patient.record.title")}>
      {groups.length === 0 && <EmptyRecord patient={patient} />}
      {groups.map(({ name, rows }) => (
        <div key={name} className={classes.group}>
          <h3 className={classes.title}>{t(`patient.group.${name}`)}</h3>
          <dl className={classes.rows}>
            {rows.map(([field, value]) => (
              <div key={field} data-long={value.length > 24 || undefined}>
                <dt>{t(`patient.field.${field}`)}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      <Text size="xs" c="dimmed" mt="md">
        {t("patient.record.created", {
          day: formatDay(patient.createdAt),
          name: patient.createdBy || t("common.unknown"),
        })}
      </Text>
    </Section>
  );
}

function EmptyRecord({ patient }: { patient: Patient }) {
  const t = useTexts("patient");
  const [opened, form] = useDisclosure(false);
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t("patient.record.empty")}
      </Text>
      <Button size="xs" variant="default" onClick={form.open}>
        {t("patient.record.fill")}
      </Button>
      <PatientForm opened={opened} onClose={form.close} patient={patient} onSaved={() => {}} />
    </>
  );
}

/** The medical history stands first, since a treatment depends on it. */
const groupOrder = ["history", "contact", "papers"] as const;

const listGroups = (t: Translate, patient: Patient) =>
  groupOrder.map((name) => ({
    name,
    rows: detailsOfGroup(name)
      .map((field) => [field, formatField(t, patient, field)] as const)
      .filter(([, value]) => value !== ""),
  }));
