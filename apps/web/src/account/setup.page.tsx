import { Anchor, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { setupCalls } from "@arcada/contract/account/setup.calls";
import { screens } from "@arcada/contract/screens";
import { startSession } from "../browser/session-lifecycle.ts";
import { isRefused } from "../data/call-errors.ts";
import { useCall } from "../data/use-call.ts";
import { useTexts } from "../i18n/texts.ts";
import { useRole } from "../session/current-user.ts";
import { BusyState } from "../ui/busy-state.tsx";
import { ErrorState } from "../ui/page-states.tsx";
import { SignInPage } from "./sign-in/sign-in-page-layout.tsx";
import { InstallationState } from "./setup/installation-state.tsx";
import { SetupForm } from "./setup/setup-form.tsx";

/**
 * The target of a one-time link that the server or its admin command prints. Without a link it shows an operator what
 * the installation lacks.
 */
export function Page() {
  const t = useTexts("setup", "account");
  const [secret] = useState(readSetupSecret);
  const role = useRole();
  return (
    <SignInPage title={t("setup.title.first")}>
      {secret !== "" ? <OpenedLink secret={secret} /> : role === "operator" ? <InstallationState /> : <ClosedLink />}
    </SignInPage>
  );
}

function OpenedLink({ secret }: { secret: string }) {
  const t = useTexts("setup");
  const [isSaved, setSaved] = useState(false);
  const query = useCall(setupCalls.openSetup, { link: secret }, { enabled: !isSaved });
  const finish = (token: string | null) => {
    forgetSetupSecret();
    if (token === null) return setSaved(true);
    startSession(token, false);
    location.assign(screens.setup.path);
  };
  if (isSaved) return <Notice title={t("setup.saved.title")} text={t("setup.saved.text")} />;
  if (query.data) return <SetupForm secret={secret} {...query.data} done={finish} />;
  if (isRefused(query.error)) return <ClosedLink reason={query.error.msg} />;
  return query.isPending ? <BusyState /> : <ErrorState retry={() => void query.refetch()} />;
}

function ClosedLink({ reason }: { reason?: ReactNode }) {
  const t = useTexts("setup", "refusals");
  return <Notice title={t("setup.closed.title")} text={reason ?? t("setup.closed.missing")} />;
}

function Notice({ title, text }: { title: string; text: ReactNode }) {
  const t = useTexts("setup");
  return (
    <Stack gap="lg" role="status">
      <div>
        <Title order={1}>{title}</Title>
        <Text c="dimmed" mt={6}>
          {text}
        </Text>
      </div>
      <Anchor href={screens.login.path} onClick={forgetSetupSecret}>
        {t("setup.closed.signIn")}
      </Anchor>
    </Stack>
  );
}

const storageKey = "arcada.setup";

/**
 * Returns the secret of the link. It is removed from the address at once, because history and screens would keep it; the
 * tab keeps it over a reload.
 */
function readSetupSecret(): string {
  const hash = location.hash.slice(1);
  try {
    if (hash !== "") {
      sessionStorage.setItem(storageKey, hash);
      history.replaceState(history.state, "", location.pathname + location.search);
    }
    return sessionStorage.getItem(storageKey) ?? "";
  } catch {
    return hash;
  }
}

function forgetSetupSecret(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Without storage nothing was kept.
  }
}
