import { Anchor, SimpleGrid, Stack, Text } from "@mantine/core";
import { scimRules } from "@arcada/contract/scim/scim.rules";
import { useCurrentUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { Section } from "../ui/page.tsx";
import { SectionedPage } from "../ui/sections/sectioned-page.tsx";
import type { PageSection } from "../ui/sections/sectioned-page.tsx";
import { ConnectedAppsSection } from "../smart/connected-apps-section.tsx";
import { ApiKeysSection } from "./api-keys-section.tsx";
import { LabAgentsSection } from "./lab-agents-section.tsx";
import { Hl7Section } from "./hl7-section.tsx";
import { Hl7WaitingNotice } from "./hl7-waiting.tsx";
import { ProvisioningSection } from "./scim-provisioning-section.tsx";
import { PacsSection } from "./pacs-section.tsx";
import { WebhooksSection } from "./webhooks-section.tsx";

/** DICOMweb is for institutions that store images; a laboratory gets the images of its orders with them. */
const pathByName = { calls: "/openapi.json", fhir: "/fhir", dicomweb: "/dicomweb", scim: scimRules.root } as const;

type AddressName = keyof typeof pathByName;
const clinicNames = ["calls", "fhir", "dicomweb", "scim"] as const;
const labNames = ["calls", "fhir", "scim"] as const;

/** The integrations of the institution: what may call the product, what it calls, and the addresses for both. */
export function Page() {
  const t = useTexts("interface", "smart", "pacs", "hl7");
  const isLab = useCurrentUser()?.institution?.type === "lab";
  return (
    <SectionedPage
      title={t("interface.title")}
      description={t("interface.says")}
      notice={!isLab && <Hl7WaitingNotice />}
      sections={isLab ? buildLabSections(t) : buildClinicSections(t)}
    />
  );
}

const buildClinicSections = (t: Translate): PageSection[] => [
  ...buildKeySections(t),
  { id: "pacs", title: t("pacs.title"), content: <PacsSection /> },
  { id: "hl7", title: t("hl7.title"), content: <Hl7Section /> },
  ...buildCommonSections(t, clinicNames),
];

const buildLabSections = (t: Translate): PageSection[] => [
  { id: "agents", title: t("interface.agents.title"), content: <LabAgentsSection /> },
  ...buildKeySections(t),
  ...buildCommonSections(t, labNames),
];

const buildKeySections = (t: Translate): PageSection[] => [
  { id: "keys", title: t("interface.keys.title"), content: <ApiKeysSection /> },
  { id: "apps", title: t("smart.title"), content: <ConnectedAppsSection /> },
  { id: "webhooks", title: t("interface.hooks.title"), content: <WebhooksSection /> },
];

const buildCommonSections = (t: Translate, names: readonly AddressName[]): PageSection[] => [
  { id: "provisioning", title: t("interface.provisioning.title"), content: <ProvisioningSection /> },
  { id: "addresses", title: t("interface.addresses"), content: <AddressesSection names={names} /> },
];

function AddressesSection({ names }: { names: readonly AddressName[] }) {
  const t = useTexts("interface");
  return (
    <Section
      title={t("interface.addresses")}
      description={t("interface.addressesText")}
      actions={
        <Anchor href="/docs" target="_blank" rel="noreferrer" size="sm">
          {t("interface.calls")}
        </Anchor>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {names.map((name) => (
          <Stack key={name} gap={4} miw={0}>
            <Text size="sm" fw={500}>
              {t(`interface.address.${name}`)}
            </Text>
            <div dir="ltr">
              <CopyText text={`${location.origin}${pathByName[name]}`} label={t("interface.copyAddress")} />
            </div>
          </Stack>
        ))}
      </SimpleGrid>
    </Section>
  );
}
