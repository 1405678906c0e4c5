import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { factorCalls } from "@arcada/contract/factor/factor.calls";
import { factorRules } from "@arcada/contract/factor/factor.rules";
import { showError } from "../../data/show-error.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";
import { formatUserAgent } from "../profile/user-agent.ts";

interface Props {
  options: Record<string, unknown>;
  onClose: () => void;
  /** Called with the recovery codes if the passkey serves as a second factor from now on. */
  done: (recovery: string[]) => void;
}

/** Gives a new passkey a name, then leaves the rest to the browser's own dialog. */
export function AddPasskey({ options, onClose, done }: Props) {
  const t = useTexts("factor");
  const [name, setName] = useState(formatUserAgent(navigator.userAgent));
  const [busy, setBusy] = useState(false);
  const add = useCommand(factorCalls.passkeyAdd);
  const create = async () => {
    setBusy(true);
    try {
      const { registerPasskey: makePasskey } = await import("../../browser/passkeys.ts");
      const response = await makePasskey(options);
      if (!response) return;
      const added = await add.run({ name: name.trim(), response });
      onClose();
      if (!added) return;
      toast("success", t("factor.passkeyAdded"));
      done(added.data.recovery);
    } catch (error) {
      if (error instanceof Error && error.name === "InvalidStateError") toast("error", t("factor.passkeyThere"));
      else showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("factor.passkeyAdd")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t("factor.passkeyName")}
            description={t("factor.passkeyNameText")}
            maxLength={factorRules.passkeyName}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={name.trim() === ""}>
              {t("common.next")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
