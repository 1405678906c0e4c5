import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { Suspense, lazy, useState } from "react";
import { useCurrentUser } from "../../session/current-user.ts";
import { signInAgainRefusal } from "../../data/show-error.ts";
import { useStore } from "../../browser/external-store.ts";
import { loadTexts, useTexts } from "../../i18n/texts.ts";
import { BusyState } from "../../ui/busy-state.tsx";
import { useResumeSession } from "./use-resume-session.ts";

const LoginForm = lazy(async () => {
  const [form] = await Promise.all([import("../../account/sign-in/login-form.tsx"), loadTexts("account")]);
  return { default: form.LoginForm };
});

// Z-index: the page's drawers and dialogs use 200, dropdown lists 300.
const aboveDrawersZIndex = 250;

/**
 * Shown if the session ended while a page was open. The page stays as it is behind the dialog, with all typed input: a
 * user who cancels can still copy it; a user who signs in again continues from there.
 */
export function SignInAgain() {
  const t = useTexts("shell");
  const refusal = useStore(signInAgainRefusal);
  const user = useCurrentUser();
  const [isSigningIn, setSigningIn] = useState(false);
  const close = () => {
    signInAgainRefusal.set(null);
    setSigningIn(false);
  };
  const resume = useResumeSession(close);
  return (
    <Modal
      opened={refusal !== null}
      onClose={close}
      title={t("shell.signInAgainTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
      closeOnClickOutside={false}
      zIndex={aboveDrawersZIndex}
    >
      {isSigningIn ? (
        <Suspense fallback={<BusyState />}>
          <LoginForm
            account={user?.email ?? user?.phone ?? ""}
            done={({ token, remember }) => void resume(token, remember)}
          />
        </Suspense>
      ) : (
        <Stack gap="lg">
          <Text size="sm">{t("shell.signInAgainText")}</Text>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {t("common.cancel")}
            </Button>
            <Button onClick={() => setSigningIn(true)} data-autofocus>
              {t("shell.reLogin")}
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
