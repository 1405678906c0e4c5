import { Button } from "@mantine/core";
import { useState } from "react";
import { operatorCalls, staffRoles } from "@arcada/contract/operator/operator.calls";
import type { StaffMember } from "@arcada/contract/operator/operator.calls";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";

/** Changes or removes the role. */
export function StaffActions({ colleague }: { colleague: StaffMember }) {
  const t = useTexts("operator");
  const [confirming, setConfirming] = useState<"change" | "dismiss" | null>(null);
  const change = useCommand(operatorCalls.changeStaff);
  const dismiss = useCommand(operatorCalls.dismiss);
  const { id, name, version } = colleague;
  const other = staffRoles.find((role) => role !== colleague.role)!;
  const role = t(`common.role.${other}`);
  const apply = async () => {
    const done =
      confirming === "change" ? await change.run({ id, role: other, version }) : await dismiss.run({ id, version });
    setConfirming(null);
    if (done) toast("success", t(`operator.staff.${confirming === "change" ? "changed" : "dismissed"}`, { name }));
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setConfirming("change")}>
        {t("operator.staff.change")}
      </Button>
      <Button size="xs" variant="default" onClick={() => setConfirming("dismiss")}>
        {t("operator.staff.dismiss")}
      </Button>
      <ConfirmDialog
        opened={confirming !== null}
        onClose={() => setConfirming(null)}
        onConfirm={() => void apply()}
        danger={confirming === "dismiss"}
        busy={change.busy || dismiss.busy}
        title={t(confirming === "dismiss" ? "operator.staff.dismissTitle" : "operator.staff.changeTitle", { name })}
        text={confirming === "dismiss" ? t("operator.staff.dismissText") : t("operator.staff.changeText", { role })}
        confirm={t(confirming === "dismiss" ? "operator.staff.dismiss" : "operator.staff.change")}
      />
    </>
  );
}
