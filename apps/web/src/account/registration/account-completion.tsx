import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { profileCalls } from "@arcada/contract/account/profile.calls";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
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
 * Requires the user to add what their account lacks before anything else. The dialog asks for nothing that is known
 * already, and it cannot be closed.
 */
export function AccountCompletion() {
  const t = useTexts("account");
  const user = useSignedInUser();
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
      <Stack gap="md">
        <Text size="sm">{t(`account.completion.${findReason(user)}`)}</Text>
        {!isPersonal ? (
          <OrganisationForm user={user} done={() => void finish()} />
        ) : user.email === null ? (
          <BindContactForm kind="email" done={() => void refetchCurrentUser()} />
        ) : (
          <PersonForm user={user} email={user.email} done={() => void finish()} />
        )}
        <Group>
          <SignOutButton />
        </Group>
      </Stack>
    </Modal>
  );
}

function findReason(user: UserInfo): "email" | "tip" | "tipOrganisation" {
  if (user.initStatus !== personalStatus) return "tipOrganisation";
  return user.email === null ? "email" : "tip";
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
