import { Alert, Button, Stack, Title } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { screens } from "@arcada/contract/screens";
import { loadTexts, useTexts } from "../../i18n/texts.ts";
import { SignInPage } from "./sign-in-page-layout.tsx";

/** The problems that the address may name. Anybody can write an address, so nothing else is shown. */
const knownProblems = [
  "providerUnknown",
  "providerAway",
  "providerFailed",
  "providerUnverified",
  "accountSuspended",
] as const;

/** Shows why a sign-in at an identity provider failed, and a link back to the sign-in. */
export function ProviderProblem() {
  const t = useTexts("account", "refusals");
  const requestedProblem = new URLSearchParams(location.search).get("problem");
  const problem = knownProblems.find((name) => name === requestedProblem) ?? "providerFailed";
  return (
    <SignInPage title={t("account.providerProblem")}>
      <Stack gap="xl">
        <Title order={1}>{t("account.providerProblem")}</Title>
        <Alert color="red" variant="light" role="alert" icon={<IconAlertTriangle size={18} />}>
          {t(`refusals.${problem}`)}
        </Alert>
        <Button component="a" href={screens.login.path} size="md" data-autofocus>
          {t("account.backToSignIn")}
        </Button>
      </Stack>
    </SignInPage>
  );
}

await loadTexts("refusals");
