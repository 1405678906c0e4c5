import { Button, Center, Group, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { screens } from "@arcada/contract/screens";
import { useOpenScreen } from "../browser/navigation.tsx";
import { readToken } from "../browser/session-token.ts";
import { useTexts } from "../i18n/texts.ts";
import { BusyState } from "../ui/busy-state.tsx";
import { Logo } from "../ui/logo.tsx";
import { keepDuringSignIn, takeLaunchFromAddress } from "./pending-launch.ts";
import classes from "./launch.module.css";

/**
 * The address that practice programs open. It explains an incomplete address at once; otherwise it leads on to the
 * patient, after the sign-in where that is needed.
 */
export function Page() {
  const [address] = useState(takeLaunchFromAddress);
  const open = useOpenScreen();
  useEffect(() => {
    if ("problem" in address) return;
    if (readToken()) return open("launchedPatient", {}, { replace: true });
    const signIn = `${screens.login.path}?redirect=${encodeURIComponent(screens.launchedPatient.path)}`;
    void keepDuringSignIn(address).then(() => location.replace(signIn));
  }, [address, open]);
  if (!("problem" in address)) return <BusyState />;
  return <IncompleteAddress problem={address} />;
}

type Problem = Extract<ReturnType<typeof takeLaunchFromAddress>, { problem: unknown }>;

function IncompleteAddress({ problem: { problem, parameter = "" } }: { problem: Problem }) {
  const t = useTexts("launch");
  return (
    <Center component="main" className={classes.page}>
      <Stack gap="lg" className={classes.words}>
        <Logo />
        <div>
          <Title order={1} size="h2">
            {t("launch.problem.title")}
          </Title>
          <Text mt="sm">{t(`launch.problem.${problem}`, { parameter })}</Text>
          <Text c="dimmed" size="sm" mt="xs">
            {t("launch.problem.hint")}
          </Text>
        </div>
        <Group>
          <Button component="a" href="/" variant="default">
            {t("common.home")}
          </Button>
        </Group>
      </Stack>
    </Center>
  );
}
