import { Alert, Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { Suspense, lazy, useState } from "react";
import { screens } from "@arcada/contract/screens";
import { ownPath } from "../kernel/entry.ts";
import { enter } from "../kernel/sign-in.ts";
import { useTexts } from "../kernel/texts.ts";
import { carriedAccount } from "../kernel/carried.ts";
import { useConsent } from "./consent.tsx";
import { Door, useWelcome } from "./door.tsx";
import classes from "./account.module.css";
import { LoginForm } from "./login-form.tsx";

const DemoAccounts = lazy(async () => ({ default: (await import("./demo-accounts.tsx")).DemoAccounts }));

export function Login() {
  const t = useTexts("account");
  const welcome = useWelcome();
  const { disabled, why } = useConsent();
  const [filled, setFilled] = useState({ account: carriedAccount(), password: "", times: 0 });
  return (
    <Door title={t("account.signIn")}>
      <Stack gap="xl">
        <div>
          <Title order={1}>{t("account.welcomeTitle")}</Title>
          <Text c="dimmed" mt={6}>
            {t("account.welcomeText")}
          </Text>
        </div>
        {welcome?.announcement && (
          <Alert color="brand" variant="light" icon={<IconInfoCircle size={18} />} className={classes.said}>
            {welcome.announcement}
          </Alert>
        )}
        {why && <Alert color="yellow">{t(`account.${why}`)}</Alert>}
        <LoginForm
          key={filled.times}
          account={filled.account}
          password={filled.password}
          disabled={disabled}
          done={({ token, remember }) => {
            enter(token, remember);
            location.assign(ownPath(new URLSearchParams(location.search).get("redirect"), location.origin));
          }}
        />
        <Group gap={6} justify="center">
          <Text size="sm" c="dimmed">
            {t("account.noAccount")}
          </Text>
          <Anchor size="sm" fw={600} href={screens.register.path + location.search}>
            {t("account.register")}
          </Anchor>
        </Group>
        {welcome?.demo && (
          <Suspense>
            <DemoAccounts
              demo={welcome.demo}
              outbox={welcome.outbox}
              onChoose={(account, password) => setFilled(({ times }) => ({ account, password, times: times + 1 }))}
            />
          </Suspense>
        )}
      </Stack>
    </Door>
  );
}
