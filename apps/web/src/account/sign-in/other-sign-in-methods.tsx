import { Button, Divider, Stack } from "@mantine/core";
import { toSafePath } from "../../session/screen-redirects.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useWelcome } from "./sign-in-page-layout.tsx";
import { supportsPasskeys } from "../factor/passkey-support.ts";
import { PasskeySignIn } from "../factor/passkey-sign-in.tsx";
import type { SignInResult } from "./sign-in-method-props.ts";

interface Props {
  remember: boolean;
  disabled: boolean;
  done: (result: SignInResult) => void;
}

/** Sign-in methods without typing: a passkey, or an identity provider if one is configured. */
export function OtherSignInMethods({ remember, disabled, done }: Props) {
  const t = useTexts("account");
  const providers = useWelcome()?.providers ?? [];
  const withPasskey = supportsPasskeys();
  if (!withPasskey && providers.length === 0) return null;
  const redirect = toSafePath(new URLSearchParams(location.search).get("redirect"), location.origin);
  return (
    <Stack gap="sm">
      <Divider label={t("account.orElse")} />
      {withPasskey && <PasskeySignIn remember={remember} disabled={disabled} done={done} />}
      {providers.map(({ id, label }) => (
        <Button
          key={id}
          component="a"
          href={`/v1/base/provider/start?${new URLSearchParams({ provider: id, redirect })}`}
          variant="default"
          size="md"
          fullWidth
          data-disabled={disabled || undefined}
          aria-disabled={disabled || undefined}
          onClick={(event: React.MouseEvent) => disabled && event.preventDefault()}
        >
          {t("account.signInWith", { label })}
        </Button>
      ))}
    </Stack>
  );
}
