import { Button } from "@mantine/core";
import { useState } from "react";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import type { Period } from "@arcada/contract/capacity/capacity.calls";
import { formatDay } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { formatCapacity, formatPlan } from "./format-capacity.ts";

/** One button for each action that is open. */
export function PeriodActions({ period }: { period: Period }) {
  const t = useTexts("myCapacity");
  const [isConfirming, setConfirming] = useState(false);
  const resubscribe = useCommand(capacityCalls.resubscribe);
  const renewLate = useCommand(capacityCalls.renewLate);
  const { id, version, actions } = period;
  const handlers: Record<Period["actions"][number], () => void> = {
    unsubscribe: () => setConfirming(true),
    resubscribe: () =>
      void resubscribe.run({ id, version }).then((done) => done && toast("success", t("myCapacity.done.resubscribe"))),
    renewLate: () =>
      void renewLate.run({ id, version }).then((done) => done && toast("success", t("myCapacity.subscribe.done"))),
  };
  return (
    <>
      {actions.map((action) => (
        <Button
          key={action}
          size="sm"
          variant="default"
          loading={resubscribe.busy || renewLate.busy}
          onClick={handlers[action]}
        >
          {t(`myCapacity.action.${action}`)}
        </Button>
      ))}
      {isConfirming && <UnsubscribeDialog period={period} onClose={() => setConfirming(false)} />}
    </>
  );
}

/** Asks for confirmation; states what remains available, and until when. */
function UnsubscribeDialog({ period, onClose }: { period: Period; onClose: () => void }) {
  const t = useTexts("capacity", "myCapacity");
  const command = useCommand(capacityCalls.unsubscribe);
  const { id, version, plan, expiresAt } = period;
  const confirm = async () => {
    if (!(await command.run({ id, version }))) return;
    toast("success", t("myCapacity.done.unsubscribe"));
    onClose();
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={() => void confirm()}
      busy={command.busy}
      title={t("myCapacity.ask.unsubscribeTitle", { plan: formatPlan(t, plan) })}
      text={t("myCapacity.ask.unsubscribeText", { worth: formatCapacity(t, period), date: formatDay(expiresAt) })}
      confirm={t("myCapacity.action.unsubscribe")}
    />
  );
}
