import { Switch } from "@mantine/core";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { useCanAccess } from "../session/permission-gate.tsx";
import { refetchCurrentUser, useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";

/** Programs of the institution may sign in only users who allow it here. */
export function LaunchSwitch() {
  const t = useTexts("member");
  const user = useSignedInUser();
  const may = useCanAccess(memberCalls.allowLaunch);
  const allow = useCommand(memberCalls.allowLaunch);
  if (!may || !user.institution) return null;
  const change = async (on: boolean) => {
    if (!(await allow.run({ on }))) return;
    await refetchCurrentUser();
    toast("success", t("common.saved"));
  };
  return (
    <Switch
      label={t("member.launch", { institution: user.institution.name })}
      description={t("member.launchText")}
      checked={user.launchAllowed}
      disabled={allow.busy}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  );
}
