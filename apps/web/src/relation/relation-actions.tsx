import { Button } from "@mantine/core";
import { useState } from "react";
import type { ReactNode } from "react";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { Relation } from "@arcada/contract/relation/relation.calls";
import { relationCycle, relationRules } from "@arcada/contract/relation/relation.cycle";
import type { RelationAction } from "@arcada/contract/relation/relation.cycle";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCommand } from "../kernel/use-command.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";

/** Actions that are not easily undone need a confirmation. */
const asked: readonly RelationAction[] = ["reject", "cancel", "exit", "hide"];
const grave: readonly RelationAction[] = ["reject", "exit"];

/** One button for every action that the server permits to the user, and the dialog that some of them need. */
export function useRelationActions(): { buttons: (relation: Relation) => ReactNode; dialog: ReactNode } {
  const t = useTexts("relation");
  const step = useCommand(relationCalls.step);
  const [asking, setAsking] = useState<{ relation: Relation; action: RelationAction } | null>(null);

  const move = async ({ id, version }: Relation, action: RelationAction, reason: string) => {
    const outcome = await step.run({ id, version, action, ...(reason && { reason }) });
    setAsking(null);
    if (outcome) toast("success", t(`relation.done.${action}`));
  };
  const press = (relation: Relation, action: RelationAction) =>
    asked.includes(action) ? setAsking({ relation, action }) : void move(relation, action, "");
  const buttons = (relation: Relation) =>
    relation.actions.map((action) => (
      <Button
        key={action}
        size="sm"
        variant={action === "accept" ? "filled" : "default"}
        disabled={step.busy}
        onClick={() => press(relation, action)}
      >
        {t(`relation.action.${action}`)}
      </Button>
    ));
  const name = asking?.relation.other.name ?? "";
  const dialog = asking && (
    <ConfirmDialog
      opened
      onClose={() => setAsking(null)}
      onConfirm={(reason) => void move(asking.relation, asking.action, reason)}
      busy={step.busy}
      danger={grave.includes(asking.action)}
      title={t(`relation.confirm.${asking.action}`, { name })}
      text={t(`relation.confirmText.${asking.action}`, { name, days: relationRules.resumeDays })}
      confirm={t(`relation.action.${asking.action}`)}
      {...(asking.action === "cancel" && { cancel: t("common.back") })}
      {...(relationCycle.steps[asking.action].asks?.includes("reason") && {
        reason: { label: t("relation.reason") },
      })}
    />
  );
  return { buttons, dialog };
}
