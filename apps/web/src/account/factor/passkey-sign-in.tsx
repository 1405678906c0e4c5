import { Button } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import { passkeySignInCalls } from "@arcada/contract/factor/passkey-sign-in.calls";
import { send } from "../../data/ask.ts";
import { showError } from "../../data/show-error.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { SignInResult } from "../sign-in/sign-in-method-props.ts";

interface Props {
  remember: boolean;
  disabled: boolean;
  done: (result: SignInResult) => void;
}

/** Signs in with a passkey alone: the browser asks which. */
export function PasskeySignIn({ remember, disabled, done }: Props) {
  const t = useTexts("account");
  const [busy, setBusy] = useState(false);
  const signIn = async () => {
    setBusy(true);
    try {
      const [{ requestPasskey: showPasskey }, options] = await Promise.all([
        import("../../browser/passkeys.ts"),
        send(passkeySignInCalls.passkeyOptions, {}),
      ]);
      const response = await showPasskey(options);
      if (!response) return;
      const { token } = await send(passkeySignInCalls.passkeySignIn, { response, remember });
      done({ token, remember });
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      size="md"
      fullWidth
      leftSection={<IconFingerprint size={20} />}
      loading={busy}
      disabled={disabled}
      onClick={() => void signIn()}
    >
      {t("account.passkeySignIn")}
    </Button>
  );
}
