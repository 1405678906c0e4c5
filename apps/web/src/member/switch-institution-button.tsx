import { Button } from "@mantine/core";
import { useState } from "react";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { ask } from "../data/ask.ts";
import { switchSession } from "../browser/session-lifecycle.ts";
import { useTexts } from "../i18n/texts.ts";

/** Switches to an institution of the user's. Becoming a member does not switch by itself. */
export function SwitchInstitutionButton({ iid, size = "sm" }: { iid: string; size?: "sm" | "md" }) {
  const t = useTexts("member");
  const [busy, setBusy] = useState(false);
  const switchInstitution = async () => {
    setBusy(true);
    const answer = await ask(institutionCalls.switch, { iid }).catch(() => null);
    if (answer) switchSession(answer.token);
    else setBusy(false);
  };
  return (
    <Button size={size} loading={busy} onClick={() => void switchInstitution()}>
      {t("member.workThere")}
    </Button>
  );
}
