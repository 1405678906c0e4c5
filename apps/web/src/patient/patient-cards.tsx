import { Group, Text } from "@mantine/core";
import { IconClipboardList, IconPhoto } from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { PatientRow } from "@arcada/contract/patient/patient.calls";
import { formatTimeAgo, formatDay, formatDateTime } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { formatAge } from "./patient-age.tsx";
import type { PatientListProps } from "./patient-table.tsx";
import classes from "./patient-cards.module.css";

/** The list as cards, for narrow screens. */
export function PatientCards({ patients }: PatientListProps) {
  return (
    <ul className={classes.list}>
      {patients.map((patient) => (
        <PatientCard key={patient.id} patient={patient} />
      ))}
    </ul>
  );
}

function PatientCard({ patient }: { patient: PatientRow }) {
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
              <time dateTime={patient.recentVisitAt} title={formatDateTime(patient.recentVisitAt)}>
                {formatTimeAgo(patient.recentVisitAt)}
              </time>
            )}
          </Text>
        </Group>
        <Text size="sm" span display="block" mt={2}>
          {t(`common.sex.${patient.sex}`)} · {formatAge(t, patient)}
          {patient.birthDate && ` · ${formatDay(patient.birthDate)}`}
        </Text>
        <Group justify="space-between" gap="sm" mt={4} wrap="nowrap">
          <Text size="xs" c="dimmed" span className={classes.name}>
            {[patient.number, patient.phone].filter(Boolean).join(" · ")}
          </Text>
          <Group gap="sm" wrap="nowrap">
            <CountFigure
              Icon={IconPhoto}
              count={patient.studies}
              label={t("patient.studyCount", { count: patient.studies })}
            />
            <CountFigure
              Icon={IconClipboardList}
              count={patient.orders}
              label={t("patient.orderCount", { count: patient.orders })}
            />
          </Group>
        </Group>
      </ScreenLink>
    </li>
  );
}

function CountFigure({
  Icon,
  count,
  label,
}: {
  Icon: ComponentType<{ size: number; stroke: number }>;
  count: number;
  label: string;
}) {
  return (
    <span className={classes.figure} role="img" aria-label={label} title={label}>
      <Icon size={15} stroke={1.7} />
      {count}
    </span>
  );
}
