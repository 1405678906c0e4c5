import { ActionIcon, Button, Group, Menu, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconAlertTriangle,
  IconDots,
  IconExternalLink,
  IconPencil,
  IconSend,
  IconTrash,
  IconUsers,
} from "@tabler/icons-react";
import { Suspense, lazy } from "react";
import type { ReactNode } from "react";
import { patientCalls, patientRules } from "@arcada/contract/patient/patient.calls";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { detailsWithControl } from "@arcada/contract/patient/patient-fields";
import { screens } from "@arcada/contract/screens";
import { smartCalls } from "@arcada/contract/smart/smart.calls";
import { formatDay } from "../i18n/format.ts";
import { ScreenLink, useOpenScreen } from "../browser/navigation.tsx";
import { usePageTitle } from "../browser/page-title.ts";
import { PermissionGate } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { PageBody } from "../ui/page.tsx";
import { formatAge } from "./patient-age.tsx";
import { PhotoSeriesButton } from "./photo-series-button.tsx";
import { PatientForm } from "./patient-form.tsx";
import classes from "./patient-header.module.css";

const PatientMergeDrawer = lazy(async () => ({
  default: (await import("./merge/patient-merge-drawer.tsx")).PatientMergeDrawer,
}));

/** The head of a patient's page: identity, actions and risks. The page's content follows below. */
export function PatientHeader({ patient, children }: { patient: Patient; children: ReactNode }) {
  usePageTitle(patient.name);
  return (
    <PageBody
      title={patient.name}
      description={<PatientFacts patient={patient} />}
      actions={<PatientActions patient={patient} />}
    >
      <PatientRisks patient={patient} />
      {children}
    </PageBody>
  );
}

function PatientFacts({ patient: { sex, number, phone, birthDate, age } }: { patient: Patient }) {
  const t = useTexts("patient");
  const facts = [
    t(`common.sex.${sex}`),
    formatAge(t, { age, birthDate }),
    birthDate && formatDay(birthDate),
    number,
    phone,
  ].filter(Boolean);
  return (
    <span className={classes.facts}>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </span>
  );
}

/** The patient's allergies and conditions that everybody must know before a treatment. */
function PatientRisks({ patient }: { patient: Patient }) {
  const t = useTexts("patient");
  const knownConditions = detailsWithControl("answer").filter((condition) => patient[condition]);
  if (!patient.allergies && knownConditions.length === 0) return null;
  return (
    <Group gap="xs" mt={-8}>
      {patient.allergies && (
        <Text size="sm" className={classes.allergies}>
          <IconAlertTriangle size={16} stroke={1.9} aria-hidden />
          {t("patient.risk.allergies", { text: patient.allergies })}
        </Text>
      )}
      {knownConditions.map((condition) => (
        <Text key={condition} size="sm" className={classes.condition}>
          {t(`patient.field.${condition}`)}
        </Text>
      ))}
    </Group>
  );
}

function PatientActions({ patient }: { patient: Patient }) {
  const t = useTexts("patient");
  const [isEditing, editing] = useDisclosure(false);
  const [isRemoving, removing] = useDisclosure(false);
  const [isMerging, merging] = useDisclosure(false);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t("patient.moreActions")}>
            <IconDots size={18} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <OpenInAppItems patientId={patient.id} />
          <Menu.Item leftSection={<IconUsers size={16} aria-hidden />} onClick={merging.open}>
            {t("patient.merge.title")}
          </Menu.Item>
          <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={removing.open}>
            {t("patient.removing.action")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button variant="default" leftSection={<IconPencil size={17} stroke={1.7} aria-hidden />} onClick={editing.open}>
        {t("patient.edit")}
      </Button>
      <PhotoSeriesButton patientId={patient.id} />
      <PermissionGate to={screens.sendPage}>
        <Button
          component={ScreenLink}
          screen="sendPage"
          search={{ patientId: patient.id }}
          leftSection={<IconSend size={17} stroke={1.7} aria-hidden />}
        >
          {t("patient.newOrder")}
        </Button>
      </PermissionGate>
      <PatientForm opened={isEditing} onClose={editing.close} patient={patient} onSaved={() => {}} />
      {isMerging && (
        <Suspense>
          <PatientMergeDrawer patient={patient} onClose={merging.close} />
        </Suspense>
      )}
      <RemovePatient patient={patient} opened={isRemoving} onClose={removing.close} />
    </>
  );
}

/** The apps that can be opened for a patient, as entries of the patient's menu. */
function OpenInAppItems({ patientId }: { patientId: string }) {
  const t = useTexts("smart");
  const { data } = useCall(smartCalls.launchable, {});
  const launch = useCommand(smartCalls.launch);
  const open = async (id: string) => {
    const done = await launch.run({ id, patientId });
    if (done) location.assign(done.data.url);
  };
  return (data ?? []).map(({ id, name }) => (
    <Menu.Item key={id} leftSection={<IconExternalLink size={16} aria-hidden />} onClick={() => void open(id)}>
      {t("smart.open", { app: name })}
    </Menu.Item>
  ));
}

function RemovePatient({ patient, opened, onClose }: { patient: Patient; opened: boolean; onClose: () => void }) {
  const t = useTexts("patient");
  const go = useOpenScreen();
  const remove = useCommand(patientCalls.remove);
  const confirm = async () => {
    const done = await remove.run({ id: patient.id });
    onClose();
    if (!done) return;
    toast("success", t("patient.removing.done"));
    go("patientList");
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      onConfirm={() => void confirm()}
      title={t("patient.removing.title", { name: patient.name })}
      text={t("patient.removing.text", { days: patientRules.binDays })}
      confirm={t("patient.removing.action")}
      busy={remove.busy}
      danger
    />
  );
}
