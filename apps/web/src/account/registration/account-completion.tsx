import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { profileCalls } from "@arcada/contract/account/profile.calls";
import { screens } from "@arcada/contract/screens";
import { send } from "../../data/ask.ts";
import { logOut, refetchCurrentUser, useSignedInUser } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { BindContactForm } from "../profile/bind-contact-form.tsx";
import { OrganisationForm, PersonForm } from "./completion-form.tsx";

/**
 * `initStatus` is 0 for a complete account, 1 for a personal account, and higher for one that was created for a clinic
 * or a lab.
 */
const personalStatus = 1;

/**
 * Requires the user to complete an incomplete account before anything else: first an explanation, then the form. The
 * dialog cannot be closed.
 */
export function AccountCompletion() {
  const t = useTexts("account");
  const user = useSignedInUser();
  const [isIntroRead, setIntroRead] = useState(false);
  if (user.initStatus === 0) return null;
  const isPersonal = user.initStatus === personalStatus;
  const finish = async () => {
    const now = await send(profileCalls.getUserInfo, {}).catch(() => null);
    if (!now) {
      toast("error", t("account.completion.again"));
      return signOut();
    }
    if (!isPersonal) return location.reload();
    await refetchCurrentUser();
    toast("success", t("account.completion.done"));
  };
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t("account.completion.title")}
    >
      {!isIntroRead ? (
        <Stack gap="lg">
          <Text size="sm">{t(isPersonal ? "account.completion.tip" : "account.completion.tipOrganisation")}</Text>
          <Group justify="space-between">
            <SignOutButton />
            <Button onClick={() => setIntroRead(true)} data-autofocus>
              {t("account.completion.begin")}
            </Button>
          </Group>
        </Stack>
      ) : !isPersonal ? (
        <OrganisationForm user={user} done={() => void finish()} />
      ) : user.email === null ? (
        <Stack gap="md">
          <Text size="sm">{t("account.completion.email")}</Text>
          <BindContactForm kind="email" done={() => void refetchCurrentUser()} />
        </Stack>
      ) : (
        <PersonForm user={user} email={user.email} done={() => void finish()} />
      )}
    </Modal>
  );
}

/** A user who signed in to an account that is not theirs must be able to leave. */
function SignOutButton() {
  const t = useTexts("shell");
  return (
    <Button variant="subtle" color="gray" onClick={() => void signOut()}>
      {t("shell.logOut")}
    </Button>
  );
}

async function signOut(): Promise<void> {
  await logOut();
  location.assign(screens.login.path);
}
