import { Group, Text } from "@mantine/core";
import { IconClipboardList, IconPhoto } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { PatientRow } from "@arcada/contract/patient/patient.calls";
import { showAgo, showDay, showMinute } from "../kernel/format.ts";
import { ScreenLink } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { ageText } from "./patient-facts.tsx";
import type { PatientRows } from "./patient-table.tsx";
import classes from "./patient-cards.module.css";

/** The list as cards, for narrow screens. */
export function PatientCards({ patients }: PatientRows) {
  return (
    <ul className={classes.list}>
      {patients.map((patient) => (
        <Card key={patient.id} patient={patient} />
      ))}
    </ul>
  );
}

function Card({ patient }: { patient: PatientRow }) {
  const t = useTexts("patient");
  return (
    <li>
      <ScreenLink screen="patientDetail" search={{ id: patient.id }} className={classes.card}>
        <Group justify="space-between" gap="sm" wrap="nowrap">
          <Text fw={600} span className={classes.name}>
            {patient.name}
          </Text>
          <Text size="xs" c="dimmed" span className={classes.when}>
            {patient.recentVisitAt && (
              <time dateTime={patient.recentVisitAt} title={showMinute(patient.recentVisitAt)}>
                {showAgo(patient.recentVisitAt)}
              </time>
            )}
          </Text>
        </Group>
        <Text size="sm" span display="block" mt={2}>
          {t(`common.sex.${patient.sex}`)} · {ageText(t, patient)}
          {patient.birthDate && ` · ${showDay(patient.birthDate)}`}
        </Text>
        <Group justify="space-between" gap="sm" mt={4} wrap="nowrap">
          <Text size="xs" c="dimmed" span className={classes.name}>
            {[patient.number, patient.phone].filter(Boolean).join(" · ")}
          </Text>
          <Group gap="sm" wrap="nowrap">
            <Figure
              Icon={IconPhoto}
              count={patient.studies}
              says={t("patient.studyCount", { count: patient.studies })}
            />
            <Figure
              Icon={IconClipboardList}
              count={patient.orders}
              says={t("patient.orderCount", { count: patient.orders })}
            />
          </Group>
        </Group>
      </ScreenLink>
    </li>
  );
}

function Figure({
  Icon,
  count,
  says,
}: {
  Icon: ComponentType<{ size: number; stroke: number }>;
  count: number;
  says: string;
}) {
  return (
    <span className={classes.figure} role="img" aria-label={says} title={says}>
      <Icon size={15} stroke={1.7} />
      {count}
    </span>
  );
}
