import { Modal } from "@mantine/core";
import { useState } from "react";
import { shareCalls, type Share } from "@arcada/contract/share/share.calls";
import type { ShareAction } from "@arcada/contract/share/share.cycle";
import { shareRules } from "@arcada/contract/share/share.rules";
import { useTexts } from "../kernel/texts.ts";
import { useCommand } from "../kernel/use-command.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";
import { DaysChoice } from "./share-fields.tsx";
import { ShareMade, type Made } from "./share-made.tsx";

const steps = ["unlock", "renew", "extend", "cancel"] as const satisfies readonly ShareAction[];
export type Step = (typeof steps)[number];
export const isStep = (action: ShareAction): action is Step => (steps as readonly string[]).includes(action);

interface Props {
  share: Share;
  step: Step;
  onClose: () => void;
}

/** Confirms a transition of a link. A new link is shown once. */
export function ShareStep({ share, step, onClose }: Props) {
  const t = useTexts("share");
  const move = useCommand(shareCalls.step);
  const renew = useCommand(shareCalls.renew);
  const [days, setDays] = useState(String(shareRules.usualDays));
  const [made, setMade] = useState<Made | null>(null);
  const { id, label } = share;
  if (made)
    return (
      <Modal
        opened
        onClose={onClose}
        size="lg"
        closeOnClickOutside={false}
        title={t("share.made.title")}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <ShareMade made={made} onDone={onClose} />
      </Modal>
    );
  const take = async () => {
    if (step === "renew") {
      const done = await renew.run({ id });
      if (done) setMade(done.data);
      return;
    }
    if (await move.run({ id, action: step, ...(step === "extend" && { days: Number(days) }) })) onClose();
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => void take()}
      busy={move.busy || renew.busy}
      danger={step === "cancel"}
      title={t(`share.ask.${step}Title`, { label })}
      text={t(`share.ask.${step}Text`, { life: String(shareRules.lifeDays) })}
      confirm={t(`share.action.${step}`)}
      {...(step === "cancel" && { cancel: t("common.back") })}
    >
      {step === "extend" && <DaysChoice value={days} onChange={setDays} />}
    </ConfirmDialog>
  );
}
