import { Button } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { relationLifecycle, relationRules } from "@arcada/contract/relation/relation.lifecycle";
import type { RelationAction } from "@arcada/contract/relation/relation.lifecycle";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

/** Actions that are not easily undone need a confirmation. */
const confirmedActions = ["reject", "cancel", "exit", "hide"] as const satisfies readonly RelationAction[];
type ConfirmedAction = (typeof confirmedActions)[number];
const needsConfirmation = (action: RelationAction): action is ConfirmedAction =>
  confirmedActions.some((one) => one === action);
const dangerousActions: readonly RelationAction[] = ["reject", "exit"];

/** One button for every action that the server permits to the user, and the dialog that some of them need. */
export function useRelationActions(): { buttons: (relation: Relation) => ReactNode; dialog: ReactNode } {
  const t = useTexts("relation");
  const transition = useCommand(relationCalls.step);
  const [confirming, setConfirming] = useState<{ relation: Relation; action: ConfirmedAction } | null>(null);

  const applyAction = async ({ id, version }: Relation, action: RelationAction, reason: string) => {
    const outcome = await transition.run({ id, version, action, ...(reason && { reason }) });
    setConfirming(null);
    if (outcome) toast("success", t(`relation.done.${action}`));
  };
  const press = (relation: Relation, action: RelationAction) =>
    needsConfirmation(action) ? setConfirming({ relation, action }) : void applyAction(relation, action, "");
  const buttons = (relation: Relation) =>
    relation.actions.map((action) => (
      <Button
        key={action}
        size="sm"
        variant={action === "accept" ? "filled" : "default"}
        disabled={transition.busy}
        onClick={() => press(relation, action)}
      >
        {t(`relation.action.${action}`)}
      </Button>
    ));
  const name = confirming?.relation.other.name ?? "";
  const dialog = confirming && (
    <ConfirmDialog
      opened
      onClose={() => setConfirming(null)}
      onConfirm={(reason) => void applyAction(confirming.relation, confirming.action, reason)}
      busy={transition.busy}
      danger={dangerousActions.includes(confirming.action)}
      title={t(`relation.confirm.${confirming.action}`, { name })}
      text={t(`relation.confirmText.${confirming.action}`, { name, days: relationRules.resumeDays })}
      confirm={t(`relation.action.${confirming.action}`)}
      {...(confirming.action === "cancel" && { cancel: t("common.back") })}
      {...(relationLifecycle.steps[confirming.action].asks?.includes("reason") && {
        reason: { label: t("relation.reason") },
      })}
    />
  );
  return { buttons, dialog };
}
