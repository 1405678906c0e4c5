import { Button, Group, Stack, Text } from "@mantine/core";
import { smartCalls } from "@arcada/contract/smart/smart.calls";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { Section } from "../ui/page.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { QueryResult } from "../ui/query-result.tsx";
import { summarizeAccess } from "./access-list.tsx";
import classes from "./smart.module.css";

/** The apps that the person allowed to act in their name, each with a button that ends it. */
export function MyApps() {
  const t = useTexts("smart");
  const query = useCall(smartCalls.approvals, {});
  const end = useCommand(smartCalls.endApproval);
  return (
    <Section title={t("smart.mine.title")} description={t("smart.mine.says")}>
      <QueryResult of={query} empty={<EmptyState title={t("smart.mine.none")} />}>
        {(approvals) => (
          <Stack gap={0}>
            {approvals.map(({ id, app, patient, scopes, createdAt }) => (
              <Group key={id} justify="space-between" className={classes.row}>
                <Stack gap={2} flex={1} miw={200}>
                  <Text size="sm" fw={600}>
                    {[app, patient].filter(Boolean).join(" · ")}
                  </Text>
                  {summarizeAccess(t, scopes).map((line) => (
                    <Text key={line} size="sm">
                      {line}
                    </Text>
                  ))}
                  <Text size="xs" c="dimmed">
                    {t("smart.mine.since", { time: formatTimestamp(createdAt) })}
                  </Text>
                </Stack>
                <Button
                  variant="default"
                  size="sm"
                  disabled={end.busy}
                  aria-label={`${t("smart.mine.end")}: ${app}`}
                  onClick={() => void end.run({ id })}
                >
                  {t("smart.mine.end")}
                </Button>
              </Group>
            ))}
          </Stack>
        )}
      </QueryResult>
    </Section>
  );
}
