import { Anchor, SimpleGrid, Stack, Text } from "@mantine/core";
import { scimRules } from "@arcada/contract/scim/scim.rules";
import { useCurrentUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { ConnectedAppsSection } from "../smart/connected-apps-section.tsx";
import { ApiKeysSection } from "./api-keys-section.tsx";
import { LabAgentsSection } from "./lab-agents-section.tsx";
import { Hl7Section } from "./hl7-section.tsx";
import { ProvisioningSection } from "./scim-provisioning-section.tsx";
import { PacsSection } from "./pacs-section.tsx";
import { WebhooksSection } from "./webhooks-section.tsx";

/** DICOMweb is for institutions that store images; a laboratory gets the images of its orders with them. */
const pathByName = { calls: "/openapi.json", fhir: "/fhir", dicomweb: "/dicomweb", scim: scimRules.root } as const;

const clinicNames = ["calls", "fhir", "dicomweb", "scim"] as const;
const labNames = ["calls", "fhir", "scim"] as const;

/** The integrations of the institution: API keys for incoming calls and webhook endpoints for events. */
export function Page() {
  const t = useTexts("interface");
  const isLab = useCurrentUser()?.institution?.type === "lab";
  return (
    <PageBody title={t("interface.title")} description={t("interface.says")}>
      {isLab && <LabAgentsSection />}
      <ApiKeysSection />
      <ConnectedAppsSection />
      <WebhooksSection />
      {!isLab && <PacsSection />}
      {!isLab && <Hl7Section />}
      <ProvisioningSection />
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
          {(isLab ? labNames : clinicNames).map((name) => (
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
    </PageBody>
  );
}
