import { Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconEraser, IconPackageExport } from "@tabler/icons-react";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { patientRecordCalls } from "@arcada/contract/patient/patient-timeline-and-erasure.calls";
import { PermissionGate } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCommand } from "../data/use-command.ts";
import { Section } from "../ui/page.tsx";
import { ErasePatient } from "./erase-patient.tsx";

/** The actions on all data of a patient: export and erasure. */
export function PatientDataActions({ patient }: { patient: Patient }) {
  const t = useTexts("patient");
  const archive = useCommand(patientRecordCalls.archive);
  const [isErasing, erasing] = useDisclosure(false);
  const download = async () => {
    const done = await archive.run({ id: patient.id });
    if (done) location.assign(done.data.url);
  };
  return (
    <Section title={t("patient.data.title")}>
      <Group justify="space-between" gap="md">
        <Text size="sm" c="dimmed" flex="1 1 280px">
          {t("patient.data.archiveText")}
        </Text>
        <Button
          variant="default"
          leftSection={<IconPackageExport size={17} stroke={1.7} aria-hidden />}
          loading={archive.busy}
          onClick={() => void download()}
        >
          {t("patient.data.archive")}
        </Button>
      </Group>
      <PermissionGate to={patientRecordCalls.erase}>
        <Group justify="space-between" gap="md" mt="lg">
          <Text size="sm" c="dimmed" flex="1 1 280px">
            {t("patient.erase.says")}
          </Text>
          <Button
            variant="light"
            color="red"
            leftSection={<IconEraser size={17} stroke={1.7} aria-hidden />}
            onClick={erasing.open}
          >
            {t("patient.erase.action")}
          </Button>
        </Group>
        {isErasing && <ErasePatient patient={patient} onClose={erasing.close} />}
      </PermissionGate>
    </Section>
  );
}
