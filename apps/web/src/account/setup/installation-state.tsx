import { Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import type { CheckState } from "@arcada/contract/operator/installation-checks.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { useCall } from "../../data/use-call.ts";
import { useCommand } from "../../data/use-command.ts";
import { useTexts } from "../../i18n/texts.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { FormError } from "../../ui/form/form-error.tsx";
import { useState } from "react";
import type { ReactNode } from "react";
import { PublicAddressForm } from "./public-address-form.tsx";

type Check = Output<typeof operatorCalls.installation>["checks"][number];

/** Shows an operator what the installation has and lacks. */
export function InstallationState() {
  const t = useTexts("setup");
  const query = useCall(operatorCalls.installation, {});
  return (
    <Stack gap="lg">
      <div>
        <Title order={1}>{t("setup.ready.title")}</Title>
        <Text c="dimmed" mt={6}>
          {t("setup.ready.text")}
        </Text>
      </div>
      <QueryResult of={query}>
        {({ checks, publicUrl, isPublicUrlFixed }) => (
          <Stack component="ul" gap="md" m={0} p={0}>
            {checks.map((check) => (
              <CheckRow key={check.name} check={check}>
                {check.name === "publicUrl" && !isPublicUrlFixed && <PublicAddressForm current={publicUrl} />}
              </CheckRow>
            ))}
          </Stack>
        )}
      </QueryResult>
      <TestMail />
      <Button component="a" href="/" size="md">
        {t("setup.ready.open")}
      </Button>
    </Stack>
  );
}

const stateColours: Record<CheckState, string> = { done: "teal", missing: "red", unknown: "yellow", off: "gray" };

function CheckRow({ check: { name, state }, children }: { check: Check; children: ReactNode }) {
  const t = useTexts("setup");
  return (
    <Stack component="li" gap={4} style={{ listStyle: "none" }}>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text fw={600}>{t(`setup.check.${name}.title`)}</Text>
        <Badge color={stateColours[state]} variant="light" flex="none">
          {t(`setup.state.${state}`)}
        </Badge>
      </Group>
      {state !== "done" && (
        <Text size="sm" style={{ overflowWrap: "anywhere" }}>
          {t(`setup.check.${name}.text`, { url: location.origin, file: "DATA_DIR/secret.key" })}
        </Text>
      )}
      {children}
    </Stack>
  );
}

function TestMail() {
  const t = useTexts("setup");
  const command = useCommand(operatorCalls.sendTestMail);
  const [outcome, setOutcome] = useState<Output<typeof operatorCalls.sendTestMail> | null>(null);
  const send = async () => setOutcome((await command.run({}))?.data ?? null);
  return (
    <Stack gap="sm">
      <Button variant="default" loading={command.busy} onClick={() => void send()}>
        {t("setup.mail.send")}
      </Button>
      {outcome && (
        <FormError
          kind={outcome.state === "sent" ? "info" : "problem"}
          text={t(`setup.mail.${outcome.state}`, { to: outcome.to ?? "", reason: outcome.reason ?? "" })}
        />
      )}
    </Stack>
  );
}
