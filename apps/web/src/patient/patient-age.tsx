import { Text } from "@mantine/core";
import type { PatientRow } from "@arcada/contract/patient/patient.calls";
import { formatDay } from "../i18n/format.ts";
import type { Translate } from "../i18n/texts.ts";
import { useTexts } from "../i18n/texts.ts";

type Aged = Pick<PatientRow, "age" | "birthDate">;

/** "42", or nothing where neither a birth date nor an age is known. */
export const formatAge = (t: Translate, { age }: Aged): string =>
  age === null ? t("common.unknown") : t("patient.years", { count: age });

/** Shows the age above the birth date: readers look for the age, while the date distinguishes two people. */
export function Age({ patient }: { patient: Aged }) {
  const t = useTexts("patient");
  return (
    <>
      <Text size="sm" span display="block">
        {formatAge(t, patient)}
      </Text>
      {patient.birthDate && (
        <Text size="xs" c="dimmed" span display="block" className="arcada-figures">
          {formatDay(patient.birthDate)}
        </Text>
      )}
    </>
  );
}
