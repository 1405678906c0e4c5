import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { Suspense, lazy, useState } from "react";
import { useMe } from "../kernel/session.ts";
import { signInAgain } from "../kernel/show.ts";
import { useStore } from "../kernel/store.ts";
import { loadTexts, useTexts } from "../kernel/texts.ts";
import { BusyState } from "../ui/busy-state.tsx";
import { useGoOn } from "./use-go-on.ts";

const LoginForm = lazy(async () => {
  const [form] = await Promise.all([import("../account/login-form.tsx"), loadTexts("account")]);
  return { default: form.LoginForm };
});

// Z-index: the page's drawers and dialogs use 200, dropdown lists 300.
const aboveDrawers = 250;

/**
 * Shown if the session ended while a page was open. The page stays as it is behind the dialog, with all typed input: a
 * user who cancels can still copy it; a user who signs in again continues from there.
 */
export function SignInAgain() {
  const t = useTexts("shell");
  const why = useStore(signInAgain);
  const me = useMe();
  const [isSigningIn, setSigningIn] = useState(false);
  const close = () => {
    signInAgain.set(null);
    setSigningIn(false);
  };
  const goOn = useGoOn(close);
  return (
    <Modal
      opened={why !== null}
      onClose={close}
      title={t("shell.signInAgainTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
      closeOnClickOutside={false}
      zIndex={aboveDrawers}
    >
      {isSigningIn ? (
        <Suspense fallback={<BusyState />}>
          <LoginForm
            account={me?.email ?? me?.phone ?? ""}
            done={({ token, remember }) => void goOn(token, remember)}
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
