import { Button } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/texts.ts";
import { enterInstitution } from "./enter-institution.ts";

/** Switches to an institution of the user's. */
export function SwitchInstitutionButton({ iid, size = "sm" }: { iid: string; size?: "sm" | "md" }) {
  const t = useTexts("member");
  const [busy, setBusy] = useState(false);
  const enter = async () => {
    setBusy(true);
    setBusy(await enterInstitution(iid));
  };
  return (
    <Button size={size} loading={busy} onClick={() => void enter()}>
      {t("member.workThere")}
    </Button>
  );
}
