import { Alert, Anchor, Group, Stack, Text, Title } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { Suspense, lazy, useState } from "react";
import { screens } from "@arcada/contract/screens";
import { toSafePath } from "../../session/screen-redirects.ts";
import { startSession } from "../../browser/session-lifecycle.ts";
import { useTexts } from "../../i18n/texts.ts";
import { readHandedOffAccount } from "../../session/carry-values-across-sign-in.ts";
import { useCookieConsent } from "../cookies/cookie-consent.tsx";
import { SignInPage, useWelcome } from "./sign-in-page-layout.tsx";
import classes from "../fields/account.module.css";
import { LoginForm } from "./login-form.tsx";

const DemoAccounts = lazy(async () => ({ default: (await import("./demo-accounts.tsx")).DemoAccounts }));

export function Login() {
  const t = useTexts("account");
  const welcome = useWelcome();
  const { disabled, reason } = useCookieConsent();
  const [prefilled, setPrefilled] = useState({ account: readHandedOffAccount(), password: "", times: 0 });
  return (
    <SignInPage title={t("account.signIn")}>
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
        {reason && <Alert color="yellow">{t(`account.${reason}`)}</Alert>}
        <LoginForm
          key={prefilled.times}
          account={prefilled.account}
          password={prefilled.password}
          disabled={disabled}
          done={({ token, remember }) => {
            startSession(token, remember);
            location.assign(toSafePath(new URLSearchParams(location.search).get("redirect"), location.origin));
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
              onChoose={(account, password) =>
                setPrefilled(({ times: fillCount }) => ({ account, password, times: fillCount + 1 }))
              }
            />
          </Suspense>
        )}
      </Stack>
    </SignInPage>
  );
}
