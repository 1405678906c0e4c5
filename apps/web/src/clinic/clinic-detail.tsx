import { Anchor, Badge, Button, Group, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconLink, IconMailPlus, IconPencil, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { ClinicDetail as Detail } from "@arcada/contract/clinic/clinic.calls";
import { formatDay, formatNumber } from "../i18n/format.ts";
import { useOpenScreen } from "../browser/navigation.tsx";
import { useLanguage, useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { DescriptionList } from "../ui/description-list.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { EmptyState, LoadingState } from "../ui/page-states.tsx";
import { ClinicDevices } from "./clinic-devices.tsx";
import { ClinicForm } from "./clinic-form.tsx";
import { MergedRecords } from "./merged-records.tsx";
import { LinkClinic } from "./merge-with-registered-clinic.tsx";
import { OpenWorkList } from "./unfinished-work-orders.tsx";
import { formatPhone, formatPlace } from "./clinic-text.ts";
import { OpenInstitutionAccount } from "./create-institution-account.tsx";

/** One clinic as after-sales sees it: contact and address, devices, open work. */
export function ClinicDetail({ id, children }: { id: string; children: ReactNode }) {
  const query = useCall(clinicCalls.detail, { id });
  return (
    <QueryResult of={query} loading={<LoadingState lines={9} />}>
      {(clinic) => <LoadedClinic clinic={clinic}>{children}</LoadedClinic>}
    </QueryResult>
  );
}

function LoadedClinic({ clinic, children }: { clinic: Detail; children: ReactNode }) {
  const t = useTexts("clinic");
  const language = useLanguage();
  return (
    <PageBody
      title={clinic.name}
      description={
        <Group component="span" gap="xs">
          <span className="arcada-figures">{clinic.number}</span>
          <bdi>{formatPlace(clinic, language)}</bdi>
          {clinic.institutionId === null && (
            <Badge component="span" variant="light" color="gray">
              {t("clinic.noAccount")}
            </Badge>
          )}
        </Group>
      }
      actions={clinic.mayChange && <ClinicActions clinic={clinic} />}
    >
      {clinic.isOpen ? (
        <>
          <ClinicFacts clinic={clinic} />
          <ClinicDevices clinic={clinic} />
          <OpenWorkList clinic={clinic} />
          {children}
          <MergedRecords clinic={clinic} />
        </>
      ) : (
        <Section>
          <EmptyState title={t("clinic.notYours")} text={t("clinic.notYoursText")} />
        </Section>
      )}
    </PageBody>
  );
}

function ClinicActions({ clinic }: { clinic: Detail }) {
  const t = useTexts("clinic");
  const go = useOpenScreen();
  const [isEditing, editing] = useDisclosure(false);
  const [isOpening, opening] = useDisclosure(false);
  const [isLinking, linking] = useDisclosure(false);
  const [isRemoving, removing] = useDisclosure(false);
  const remove = useCommand(clinicCalls.remove, { removedIds: ({ id }) => [id] });
  return (
    <>
      {clinic.mayRemove && (
        <Button variant="default" leftSection={<IconTrash size={18} aria-hidden />} onClick={removing.open}>
          {t("common.remove")}
        </Button>
      )}
      {clinic.institutionId === null && (
        <Button variant="default" leftSection={<IconMailPlus size={18} aria-hidden />} onClick={opening.open}>
          {t("clinic.openAccount")}
        </Button>
      )}
      {clinic.institutionId === null && (
        <Button variant="default" leftSection={<IconLink size={18} aria-hidden />} onClick={linking.open}>
          {t("clinic.link")}
        </Button>
      )}
      <Button leftSection={<IconPencil size={18} aria-hidden />} onClick={editing.open}>
        {t("common.edit")}
      </Button>
      <ClinicForm opened={isEditing} onClose={editing.close} clinic={clinic} onSaved={() => {}} />
      <OpenInstitutionAccount opened={isOpening} onClose={opening.close} clinic={clinic} />
      <LinkClinic opened={isLinking} onClose={linking.close} clinic={clinic} />
      <ConfirmDialog
        opened={isRemoving}
        onClose={removing.close}
        title={t("clinic.removeTitle", { name: clinic.name })}
        text={t("clinic.removeText")}
        confirm={t("common.remove")}
        danger
        busy={remove.busy}
        onConfirm={() =>
          void remove.run({ id: clinic.id, version: clinic.version }).then((done) => {
            removing.close();
            if (!done) return;
            toast("success", t("clinic.removed"));
            go("afterSales");
          })
        }
      />
    </>
  );
}

function ClinicFacts({ clinic }: { clinic: Detail }) {
  const t = useTexts("clinic");
  const language = useLanguage();
  const phone = formatPhone(clinic);
  const alternate = [clinic.alternateName, clinic.alternatePhone].filter(Boolean).join(" · ");
  const facts: [string, ReactNode][] = [
    [t("clinic.place"), formatPlace(clinic, language)],
    [t("clinic.address"), clinic.address],
    [t("clinic.leader"), clinic.leader],
    [
      t("clinic.phone"),
      phone && (
        <Anchor key="phone" href={`tel:${phone.replace(/[^\d+]/g, "")}`} size="sm">
          {phone}
        </Anchor>
      ),
    ],
    [t("clinic.alternate"), alternate],
    [t("clinic.setUp"), formatDay(clinic.setUpAt)],
    [t("clinic.coordinates"), formatCoordinates(clinic)],
    ...(clinic.institutionId === null ? [] : [[t("clinic.members"), clinic.members] as [string, ReactNode]]),
  ];
  return (
    <Section title={t("clinic.facts")}>
      <DescriptionList entries={facts} />
      {clinic.own && <OwnDetails clinic={clinic} own={clinic.own} />}
    </Section>
  );
}

/** Shows the clinic's own details if they differ from the record. */
function OwnDetails({ clinic, own }: { clinic: Detail; own: NonNullable<Detail["own"]> }) {
  const t = useTexts("clinic");
  const differing = [
    own.address !== clinic.address && own.address,
    own.contactPerson !== clinic.leader && own.contactPerson,
    own.contactWay !== clinic.phone && own.contactWay,
  ].filter(Boolean);
  if (differing.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" mt="md">
      {t("clinic.own", { text: differing.join(" · ") })}
    </Text>
  );
}

const formatCoordinates = ({ longitude, latitude }: Detail): string | null =>
  longitude === null || latitude === null ? null : `${formatNumber(latitude, 4)}, ${formatNumber(longitude, 4)}`;
