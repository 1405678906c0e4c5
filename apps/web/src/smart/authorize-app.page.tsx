import { Button, Center, Group, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { screens } from "@arcada/contract/screens";
import { useOpenScreen } from "../browser/navigation.tsx";
import { readToken } from "../browser/session-token.ts";
import { useTexts } from "../i18n/texts.ts";
import { BusyState } from "../ui/busy-state.tsx";
import { Logo } from "../ui/logo.tsx";
import { takeRequestFromAddress } from "./pending-request.ts";
import classes from "./smart.module.css";

/** The authorization endpoint: keeps the request of an app and leads on to the decision, after the sign-in if needed. */
export function Page() {
  const t = useTexts("smart");
  const [request] = useState(takeRequestFromAddress);
  const open = useOpenScreen();
  useEffect(() => {
    if (!request) return;
    if (readToken()) return open("decideApp", {}, { replace: true });
    location.replace(`${screens.login.path}?redirect=${encodeURIComponent(screens.decideApp.path)}`);
  }, [request, open]);
  if (request) return <BusyState />;
  return (
    <Center component="main" className={classes.page}>
      <Stack gap="lg" className={classes.words}>
        <Logo />
        <div>
          <Title order={1} size="h2">
            {t("smart.fault.title")}
          </Title>
          <Text mt="sm">{t("smart.fault.incomplete")}</Text>
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
