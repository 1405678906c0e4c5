import { ActionIcon, Badge, Button, Group, Menu, Stack, Text } from "@mantine/core";
import { IconApps, IconDots } from "@tabler/icons-react";
import { useState } from "react";
import { smartCalls } from "@arcada/contract/smart/smart.calls";
import type { SmartApp } from "@arcada/contract/smart/smart.calls";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { formatTimeAgo } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { CopyText } from "../ui/copy-text.tsx";
import { DataTable } from "../ui/data-table.tsx";
import type { Column } from "../ui/data-table.tsx";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { summarizeAccess } from "./access-list.tsx";
import { ChangeApp, RegisterApp } from "./app-form.tsx";
import { RenewAppSecret } from "./renew-app-secret.tsx";
import classes from "./smart.module.css";

type AppDialog = "new" | "edit" | "renew" | "revoke";

/** The apps that the organisation has registered, and who uses them. */
export function ConnectedAppsSection() {
  const t = useTexts("smart");
  const [open, setOpen] = useState<{ what: AppDialog; id: string } | null>(null);
  const query = useCall(smartCalls.apps, {});
  const close = () => setOpen(null);
  const chosen = query.data?.find(({ id }) => id === open?.id);
  return (
    <Section
      flush
      title={t("smart.title")}
      description={t("smart.says")}
      actions={
        <Button
          variant="default"
          leftSection={<IconApps size={18} aria-hidden />}
          onClick={() => setOpen({ what: "new", id: "" })}
        >
          {t("smart.new")}
        </Button>
      }
    >
      <QueryResult of={query} empty={<EmptyState title={t("smart.none")} text={t("smart.noneText")} />}>
        {(apps) => (
          <DataTable
            label={t("smart.title")}
            columns={buildColumns(t)}
            rows={apps}
            rowKey={({ id }) => id}
            actionsTitle={t("common.actions")}
            actions={(app) =>
              app.state === "active" && <AppActions app={app} onOpen={(what) => setOpen({ what, id: app.id })} />
            }
          />
        )}
      </QueryResult>
      {open?.what === "new" && <RegisterApp onClose={close} />}
      {chosen && open?.what === "edit" && <ChangeApp app={chosen} onClose={close} />}
      {chosen && open?.what === "renew" && <RenewAppSecret app={chosen} onClose={close} />}
      {chosen && open?.what === "revoke" && <RevokeApp app={chosen} onClose={close} />}
    </Section>
  );
}

const stateColours: Record<SmartApp["state"], string> = { active: "teal", revoked: "red" };

const buildColumns = (t: Translate): Column<SmartApp>[] => [
  {
    key: "name",
    title: t("smart.name"),
    narrow: "head",
    show: ({ id, name, state }) => (
      <Stack gap={2} miw={0}>
        <Group gap="xs">
          <Text size="sm" fw={600}>
            {name}
          </Text>
          <Badge variant="light" color={stateColours[state]}>
            {t(`smart.state.${state}`)}
          </Badge>
        </Group>
        <Text size="xs" c="dimmed" component="div" className={classes.appId}>
          {t("smart.appId")}
          <CopyText text={id} label={t("smart.copyId")} wraps size="xs" />
        </Text>
      </Stack>
    ),
  },
  {
    key: "scopes",
    title: t("smart.scopes"),
    show: ({ scopes }) => (
      <Stack gap={2}>
        {summarizeAccess(t, scopes).map((line) => (
          <Text key={line} size="sm">
            {line}
          </Text>
        ))}
      </Stack>
    ),
  },
  {
    key: "use",
    title: t("smart.use"),
    show: ({ people, lastUsedAt }) => (
      <Stack gap={2}>
        <Text size="sm">{t("smart.people", { count: people })}</Text>
        <Text size="xs" c="dimmed">
          {lastUsedAt ? t("smart.used", { time: formatTimeAgo(lastUsedAt) }) : t("smart.unused")}
        </Text>
      </Stack>
    ),
  },
];

function AppActions({ app: { name, kind }, onOpen }: { app: SmartApp; onOpen: (what: AppDialog) => void }) {
  const t = useTexts("smart");
  return (
    <>
      <Button size="sm" variant="default" onClick={() => onOpen("edit")} aria-label={`${t("smart.edit")}: ${name}`}>
        {t("smart.edit")}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={`${t("smart.more")}: ${name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {kind === "secret" && <Menu.Item onClick={() => onOpen("renew")}>{t("smart.renew")}</Menu.Item>}
          <Menu.Item color="red" onClick={() => onOpen("revoke")}>
            {t("smart.revoke")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function RevokeApp({ app: { id, name }, onClose }: { app: SmartApp; onClose: () => void }) {
  const t = useTexts("smart");
  const revoke = useCommand(smartCalls.revoke);
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      onConfirm={() => void revoke.run({ id }).then((done) => done && onClose())}
      busy={revoke.busy}
      title={t("smart.revokeTitle", { name })}
      text={t("smart.revokeText")}
      confirm={t("smart.revoke")}
    />
  );
}
