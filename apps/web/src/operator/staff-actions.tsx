import { Button } from "@mantine/core";
import { useState } from "react";
import { operatorCalls, staffRoles } from "@arcada/contract/operator/operator.calls";
import type { Colleague } from "@arcada/contract/operator/operator.calls";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCommand } from "../kernel/use-command.ts";
import { ConfirmDialog } from "../ui/confirm.tsx";

/** Changes or removes the role. */
export function StaffActions({ colleague }: { colleague: Colleague }) {
  const t = useTexts("operator");
  const [asking, setAsking] = useState<"change" | "dismiss" | null>(null);
  const change = useCommand(operatorCalls.changeStaff);
  const dismiss = useCommand(operatorCalls.dismiss);
  const { id, name, version } = colleague;
  const other = staffRoles.find((role) => role !== colleague.role)!;
  const role = t(`common.role.${other}`);
  const go = async () => {
    const done =
      asking === "change" ? await change.run({ id, role: other, version }) : await dismiss.run({ id, version });
    setAsking(null);
    if (done) toast("success", t(`operator.staff.${asking === "change" ? "changed" : "dismissed"}`, { name }));
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking("change")}>
        {t("operator.staff.change")}
      </Button>
      <Button size="xs" variant="default" onClick={() => setAsking("dismiss")}>
        {t("operator.staff.dismiss")}
      </Button>
      <ConfirmDialog
        opened={asking !== null}
        onClose={() => setAsking(null)}
        onConfirm={() => void go()}
        danger={asking === "dismiss"}
        busy={change.busy || dismiss.busy}
        title={t(asking === "dismiss" ? "operator.staff.dismissTitle" : "operator.staff.changeTitle", { name })}
        text={asking === "dismiss" ? t("operator.staff.dismissText") : t("operator.staff.changeText", { role })}
        confirm={t(asking === "dismiss" ? "operator.staff.dismiss" : "operator.staff.change")}
      />
    </>
  );
}
