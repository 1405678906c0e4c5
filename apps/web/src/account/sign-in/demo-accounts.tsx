import { Anchor, Divider, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { loginPageCalls } from "@arcada/contract/account/login-page.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { formatRole } from "../../i18n/format-recorded-codes.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Avatar } from "../../ui/avatar.tsx";
import classes from "../fields/account.module.css";

type DemoInfo = NonNullable<Output<typeof loginPageCalls.welcome>["demo"]>;
interface Props {
  demo: DemoInfo;
  outbox: boolean;
  onChoose: (account: string, password: string) => void;
}

/** The accounts of the demo: a click fills the form. */
export function DemoAccounts({ demo, outbox, onChoose }: Props) {
  const t = useTexts("account");
  return (
    <Stack gap="sm">
      <Divider label={t("account.demoTitle")} />
      <div className={classes.cast}>
        {demo.accounts.map(({ account, name, role }) => (
          <UnstyledButton key={account} className={classes.demo} onClick={() => onChoose(account, demo.password)}>
            <Group gap="sm" wrap="nowrap">
              <Avatar name={name} />
              <div className={classes.grow}>
                <Text size="sm" fw={600} truncate>
                  {name}
                </Text>
                <Text size="xs" c="dimmed" truncate>
                  {formatRole(t, role)}
                </Text>
              </div>
            </Group>
          </UnstyledButton>
        ))}
      </div>
      {outbox && (
        <Text size="xs" c="dimmed" ta="center">
          {t("account.outboxText")}{" "}
          <Anchor href="/outbox" target="_blank" size="xs" underline="always">
            {t("account.outbox")}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}
