import { Modal } from "@mantine/core";
import { useState } from "react";
import { shareCalls, type Share } from "@arcada/contract/share/share.calls";
import type { ShareAction } from "@arcada/contract/share/share.lifecycle";
import { shareRules } from "@arcada/contract/share/share.rules";
import { useTexts } from "../i18n/texts.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { DaysSelect } from "./share-fields.tsx";
import { CreatedShareLink, type CreatedShare } from "./created-share-link.tsx";

const confirmedActions = ["unlock", "renew", "extend", "cancel"] as const satisfies readonly ShareAction[];
export type ConfirmedAction = (typeof confirmedActions)[number];
export const isConfirmedAction = (action: ShareAction): action is ConfirmedAction =>
  (confirmedActions as readonly string[]).includes(action);

interface Props {
  share: Share;
  chosenAction: ConfirmedAction;
  onClose: () => void;
}

/** Confirms a transition of a link. A new link is shown once. */
export function ShareActionDialog({ share, chosenAction, onClose }: Props) {
  const t = useTexts("share");
  const command = useCommand(shareCalls.step);
  const renew = useCommand(shareCalls.renew);
  const [days, setDays] = useState(String(shareRules.defaultDays));
  const [created, setCreated] = useState<CreatedShare | null>(null);
  const { id, label } = share;
  if (created)
    return (
      <Modal
        opened
        onClose={onClose}
        size="lg"
        closeOnClickOutside={false}
        title={t("share.made.title")}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <CreatedShareLink created={created} onDone={onClose} />
      </Modal>
    );
  const applyAction = async () => {
    if (chosenAction === "renew") {
      const done = await renew.run({ id });
      if (done) setCreated(done.data);
      return;
    }
    if (await command.run({ id, action: chosenAction, ...(chosenAction === "extend" && { days: Number(days) }) }))
      onClose();
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => void applyAction()}
      busy={command.busy || renew.busy}
      danger={chosenAction === "cancel"}
      title={t(`share.ask.${chosenAction}Title`, { label })}
      text={t(`share.ask.${chosenAction}Text`, { life: String(shareRules.lifeDays) })}
      confirm={t(`share.action.${chosenAction}`)}
      {...(chosenAction === "cancel" && { cancel: t("common.back") })}
    >
      {chosenAction === "extend" && <DaysSelect value={days} onChange={setDays} />}
    </ConfirmDialog>
  );
}
