import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { screens } from "@arcada/contract/screens";
import { send } from "../kernel/ask.ts";
import { logOut, refetchMe, useUser } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { BindForm } from "./bind-form.tsx";
import { OrganisationForm, PersonForm } from "./completion-form.tsx";

/**
 * `initStatus` is 0 for a complete account, 1 for a personal account, and higher for one that was created for a clinic
 * or a lab.
 */
const personal = 1;

/**
 * Requires the user to complete an incomplete account before anything else: first an explanation, then the form. The
 * dialog cannot be closed.
 */
export function Completion() {
  const t = useTexts("account");
  const user = useUser();
  const [isTold, setTold] = useState(false);
  if (user.initStatus === 0) return null;
  const isPersonal = user.initStatus === personal;
  const goOn = async () => {
    const now = await send(accountCalls.getUserInfo, {}).catch(() => null);
    if (!now) {
      toast("error", t("account.completion.again"));
      return leave();
    }
    if (!isPersonal) return location.reload();
    await refetchMe();
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
      {!isTold ? (
        <Stack gap="lg">
          <Text size="sm">{t(isPersonal ? "account.completion.tip" : "account.completion.tipOrganisation")}</Text>
          <Group justify="space-between">
            <LeaveButton />
            <Button onClick={() => setTold(true)} data-autofocus>
              {t("account.completion.begin")}
            </Button>
          </Group>
        </Stack>
      ) : !isPersonal ? (
        <OrganisationForm user={user} done={() => void goOn()} />
      ) : user.email === null ? (
        <Stack gap="md">
          <Text size="sm">{t("account.completion.email")}</Text>
          <BindForm kind="email" done={() => void refetchMe()} />
        </Stack>
      ) : (
        <PersonForm user={user} email={user.email} done={() => void goOn()} />
      )}
    </Modal>
  );
}

/** A user who signed in to an account that is not theirs must be able to leave. */
function LeaveButton() {
  const t = useTexts("shell");
  return (
    <Button variant="subtle" color="gray" onClick={() => void leave()}>
      {t("shell.logOut")}
    </Button>
  );
}

async function leave(): Promise<void> {
  await logOut();
  location.assign(screens.login.path);
}
