import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useState } from "react";
import { integrationCalls } from "@arcada/contract/integrations/integrations.calls";
import type { ApiKey } from "@arcada/contract/integrations/integrations.calls";
import { formatTimeAgo, formatTimestamp, formatDay, formatList } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { CreateApiKey } from "./create-api-key.tsx";
import { RenewApiKey } from "./renew-api-key.tsx";

/** The institution's API keys, each with its permissions and its last use. */
export function ApiKeysSection() {
  const t = useTexts("interface");
  const [isCreating, setCreating] = useState(false);
  const [renewing, setRenewing] = useState<ApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const query = useCall(integrationCalls.keys, {});
  return (
    <Section
      flush
      title={t("interface.keys.title")}
      description={t("interface.keys.says")}
      actions={
        <Button variant="default" leftSection={<IconKey size={18} aria-hidden />} onClick={() => setCreating(true)}>
          {t("interface.keys.new")}
        </Button>
      }
    >
      <QueryResult
        of={query}
        empty={<EmptyState title={t("interface.keys.none")} text={t("interface.keys.noneText")} />}
      >
        {(keys) => (
          <DataTable
            label={t("interface.keys.title")}
            columns={buildColumns(t)}
            rows={keys}
            rowKey={({ id }) => id}
            actionsTitle={t("common.actions")}
            actions={(key) =>
              key.state === "active" && (
                <Group gap="xs" wrap="nowrap">
                  <Button
                    size="sm"
                    variant="default"
                    onClick={() => setRenewing(key)}
                    aria-label={`${t("interface.keys.renew")}: ${key.name}`}
                  >
                    {t("interface.keys.renew")}
                  </Button>
                  <Button
                    size="sm"
                    variant="default"
                    onClick={() => setRevoking(key)}
                    aria-label={`${t("interface.keys.revoke")}: ${key.name}`}
                  >
                    {t("interface.keys.revoke")}
                  </Button>
                </Group>
              )
            }
          />
        )}
      </QueryResult>
      {isCreating && <CreateApiKey onClose={() => setCreating(false)} />}
      {renewing && <RenewApiKey apiKey={renewing} onClose={() => setRenewing(null)} />}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(null)} />}
    </Section>
  );
}

const stateColours: Record<ApiKey["state"], string> = { active: "teal", expired: "gray", revoked: "red" };

const buildColumns = (t: Translate): Column<ApiKey>[] => [
  {
    key: "name",
    title: t("interface.keys.name"),
    narrow: "head",
    show: ({ name, state, begins }) => (
      <Stack gap={2}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Badge variant="light" color={stateColours[state]}>
            {t(`interface.keys.state.${state}`)}
          </Badge>
        </Group>
        <Text size="xs" c="dimmed" className="arcada-figures">
          <bdi dir="ltr">{`${begins}…`}</bdi>
        </Text>
      </Stack>
    ),
  },
  {
    key: "scopes",
    title: t("interface.keys.scopes"),
    show: ({ scopes }) => <Text size="sm">{formatList(scopes.map((scope) => t(`interface.scope.${scope}`)))}</Text>,
  },
  {
    key: "created",
    title: t("interface.keys.created"),
    show: ({ createdBy, createdAt }) => (
      <Stack gap={2}>
        <Text size="sm">{createdBy}</Text>
        <Text size="xs" c="dimmed" className="arcada-figures">
          {formatDay(createdAt)}
        </Text>
      </Stack>
    ),
  },
  {
    key: "expires",
    title: t("interface.keys.expires"),
    show: ({ expiresAt, oldSecretUntil }) => (
      <Stack gap={2}>
        <Text size="sm" className="arcada-figures">
          {expiresAt ? formatDay(expiresAt) : t("interface.keys.forever")}
        </Text>
        {oldSecretUntil && (
          <Text size="xs" c="dimmed">
            {t("interface.keys.oldUntil", { time: formatTimestamp(oldSecretUntil) })}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    key: "used",
    title: t("interface.keys.used"),
    show: ({ lastUsedAt }) => (lastUsedAt ? formatTimeAgo(lastUsedAt) : t("interface.keys.never")),
  },
];

function RevokeDialog({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useTexts("interface");
  const revoke = useCommand(integrationCalls.revokeKey);
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      onConfirm={() => void revoke.run({ id }).then((done) => done && onClose())}
      busy={revoke.busy}
      title={t("interface.keys.revokeTitle", { name })}
      text={t("interface.keys.revokeText")}
      confirm={t("interface.keys.revoke")}
    />
  );
}
