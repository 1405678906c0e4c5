import { Anchor, Center, Paper, Stack, Text, Title } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { Suspense, lazy } from "react";
import { createPortal } from "react-dom";
import { screens } from "@arcada/contract/screens";
import { unlock } from "../../session/idle-watch.ts";
import { logOut, useCurrentUser } from "../../session/current-user.ts";
import { useStore } from "../../browser/external-store.ts";
import { loadTexts, useTexts } from "../../i18n/texts.ts";
import { toasts } from "../../browser/toast.ts";
import { BusyState } from "../../ui/busy-state.tsx";
import { useResumeSession } from "./use-resume-session.ts";
import classes from "./lock.module.css";

const LoginForm = lazy(async () => {
  const [form] = await Promise.all([import("../../account/sign-in/login-form.tsx"), loadTexts("account")]);
  return { default: form.LoginForm };
});

/**
 * Covers everything, in every tab, until the page's own user has signed in again. The content behind it stays as it is.
 */
export function Lock() {
  const t = useTexts("shell");
  const user = useCurrentUser();
  // The locked session continues as the new one.
  const resume = useResumeSession(unlock);
  // Toasts are hidden behind the lock, so show the latest error here.
  const problem = useStore(toasts).findLast(({ kind }) => kind === "error")?.text;
  const leave = async () => {
    await logOut();
    location.assign(screens.login.path);
  };
  return createPortal(
    <Center className={classes.lock} role="dialog" aria-modal aria-labelledby="lock-title" data-lock>
      <Paper className={classes.card} p="xl" withBorder>
        <Stack gap="lg">
          <Stack gap={6} align="center" ta="center">
            <IconLock size={32} stroke={1.5} aria-hidden />
            <Title order={1} size="h2" id="lock-title">
              {t("shell.lock.title")}
            </Title>
            <Text size="sm" fw={600}>
              {user?.nickName}
            </Text>
            <Text size="sm" c="dimmed">
              {t("shell.lock.text")}
            </Text>
          </Stack>
          <Suspense fallback={<BusyState />}>
            {user && (
              <LoginForm
                account={user.email ?? user.phone ?? ""}
                done={({ token, remember }) => void resume(token, remember)}
              />
            )}
          </Suspense>
          <Text size="sm" role="status" c="var(--mantine-color-error)">
            {problem}
          </Text>
          <Anchor component="button" size="sm" onClick={() => void leave()}>
            {t("shell.lock.leave")}
          </Anchor>
        </Stack>
      </Paper>
    </Center>,
    document.body,
  );
}
