import { Button, Drawer, Group, Stack, Switch, Text, Title } from "@mantine/core";
import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import { findRole } from "@arcada/contract/kernel/roles";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { notifyCommandSuccess } from "../data/command-success-and-ended-records.ts";
import { formatDay, formatTimestamp } from "../i18n/format.ts";
import { ScreenLink } from "../browser/navigation.tsx";
import { useLanguage, useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { DescriptionList } from "../ui/description-list.tsx";
import { getCountryName } from "./country-name.ts";
import { formatGigabytes } from "./format-gigabytes.ts";
import { QuotaButton } from "./quota-dialog.tsx";

/** The figures of one institution, and links to possible actions. */
export function OrganisationDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts("operator");
  const query = useCall(operatorCalls.organisation, { id });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={480}
      title={query.data?.name ?? t("operator.organisations.detail")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <QueryResult of={query}>{(found) => <OrganisationDetail found={found} />}</QueryResult>
    </Drawer>
  );
}

interface DetailProps {
  found: Output<typeof operatorCalls.organisation>;
}
function OrganisationDetail({ found }: DetailProps) {
  const t = useTexts("operator");
  const language = useLanguage();
  return (
    <Stack gap="lg">
      <DescriptionList
        entries={[
          [t("operator.organisations.number"), found.number],
          [t("operator.organisations.type"), t(`common.institutionType.${found.type}`)],
          [t("operator.organisations.country"), getCountryName(found.country, language)],
          [t("operator.organisations.address"), found.address ?? "–"],
          [
            t("operator.organisations.contact"),
            [found.contactPerson, found.contactWay].filter(Boolean).join(" · ") || "–",
          ],
          [t("operator.organisations.created"), formatDay(found.createdAt)],
          [t("operator.organisations.active"), formatTimestamp(found.lastActive)],
          [t("operator.organisations.relations"), found.relations],
          [t("operator.count.devices"), found.devices],
        ]}
      />
      <Title order={3} size="h4">
        {t("operator.organisations.members")}
      </Title>
      {found.roles.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("operator.organisations.noMembers")}
        </Text>
      ) : (
        <DescriptionList
          entries={found.roles.map(({ authorityId, count }) => [t(`common.role.${findRole(authorityId)}`), count])}
        />
      )}
      <Title order={3} size="h4">
        {t("operator.organisations.use")}
      </Title>
      <UsageFacts found={found} />
      <QuotaButton organisation={found} />
      {found.type === "clinic" && <EnginePackSwitch found={found} />}
      <ActionLinks found={found} />
    </Stack>
  );
}

function UsageFacts({ found }: DetailProps) {
  const t = useTexts("operator");
  return (
    <DescriptionList
      entries={[
        [
          t("operator.organisations.storage"),
          t("operator.gigabytes", {
            used: formatGigabytes(found.usedBytes),
            allowed: formatGigabytes(found.allowedBytes),
          }),
        ],
        ...(found.type === "clinic"
          ? [
              [
                t("operator.organisations.analyses"),
                t("operator.usedOf", { used: found.usedAnalyses, allowed: found.allowedAnalyses }),
              ] as const,
            ]
          : []),
      ]}
    />
  );
}

/** A pack installs a third-party model, which runs on this server. */
function EnginePackSwitch({ found: { id, name, enginePacks } }: DetailProps) {
  const t = useTexts("operator");
  const change = useCommand(analysisCalls.allowPacks);
  const allow = async (allowed: boolean) => {
    const done = await change.run({ institutionId: id, allowed });
    if (!done) return;
    // The call belongs to the analysis slice, but the operator's slice provides the data of this drawer.
    notifyCommandSuccess(operatorCalls.organisation);
    toast("success", t(`operator.organisations.${allowed ? "packsAllowed" : "packsForbidden"}`, { name }));
  };
  return (
    <Switch
      label={t("operator.organisations.packs")}
      description={t("operator.organisations.packsText")}
      checked={enginePacks}
      disabled={change.busy}
      onChange={(event) => void allow(event.currentTarget.checked)}
    />
  );
}

function ActionLinks({ found: { id, type, clinicId } }: DetailProps) {
  const t = useTexts("operator");
  return (
    <Group gap="sm">
      {clinicId && (
        <Button component={ScreenLink} screen="clinicDetail" search={{ id: clinicId }} variant="default" size="xs">
          {t("operator.organisations.toClinic")}
        </Button>
      )}
      {type === "clinic" && (
        <Button component={ScreenLink} screen="cards" variant="default" size="xs">
          {t("operator.organisations.toCards")}
        </Button>
      )}
      <Button component={ScreenLink} screen="auditSearch" search={{ organisation: id }} variant="default" size="xs">
        {t("operator.organisations.toTrail")}
      </Button>
    </Group>
  );
}
