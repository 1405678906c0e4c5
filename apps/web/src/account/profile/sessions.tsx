import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { IconDeviceDesktop, IconDeviceMobile, IconPlugConnected } from "@tabler/icons-react";
import { sessionCalls } from "@arcada/contract/account/session.calls";
import { formatTimeAgo, formatTimestamp } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCall } from "../../data/use-call.ts";
import { useCommand } from "../../data/use-command.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { Section } from "../../ui/page.tsx";
import { formatUserAgent } from "./user-agent.ts";
import classes from "./profile.module.css";

/** The user's active sessions, each with a button that ends it. */
export function Sessions() {
  const t = useTexts("account");
  const query = useCall(sessionCalls.sessions, {});
  const end = useCommand(sessionCalls.endSession);
  const endOne = async (id: string) => {
    if (await end.run({ id })) toast("success", t("account.signedOut"));
  };
  return (
    <Section title={t("account.sessions")} description={t("account.sessionsText")}>
      <QueryResult of={query}>
        {(sessions) => (
          <Stack gap={0}>
            {sessions.map(({ id, kind, agent, since, seen, current }) => {
              const Icon =
                kind === "api"
                  ? IconPlugConnected
                  : /Mobi|Android|iPhone/.test(agent)
                    ? IconDeviceMobile
                    : IconDeviceDesktop;
              return (
                <Group key={id} justify="space-between" wrap="nowrap" className={classes.row}>
                  <Group gap="sm" wrap="nowrap" miw={0}>
                    <Icon size={22} stroke={1.5} aria-hidden />
                    <div className={classes.words}>
                      <Text size="sm" fw={600} truncate>
                        {formatUserAgent(agent) || t("account.apiSession")}
                      </Text>
                      <Text size="xs" c="dimmed" title={formatTimestamp(seen)}>
                        {t("account.since", { time: formatTimestamp(since) })} ·{" "}
                        {t("account.seen", { ago: formatTimeAgo(seen) })}
                      </Text>
                    </div>
                  </Group>
                  {current ? (
                    <Badge variant="light">{t("account.thisDevice")}</Badge>
                  ) : (
                    <Button variant="default" size="sm" disabled={end.busy} onClick={() => void endOne(id)}>
                      {t("account.signOut")}
                    </Button>
                  )}
                </Group>
              );
            })}
          </Stack>
        )}
      </QueryResult>
    </Section>
  );
}
