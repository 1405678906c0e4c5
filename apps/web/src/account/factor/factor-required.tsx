import { Alert, Anchor } from "@mantine/core";
import { IconShieldLock } from "@tabler/icons-react";
import { useSignedInUser } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";

/** Explains why no data of the institution opens, and links to the place where the user can fix it. */
export function FactorRequired() {
  const t = useTexts("factor");
  const { factorRequired, institution } = useSignedInUser();
  if (!factorRequired) return null;
  return (
    <Alert color="yellow" role="alert" icon={<IconShieldLock size={18} />} title={t("factor.required")}>
      {t("factor.requiredText", { institution: institution?.name ?? "" })}{" "}
      <Anchor href="#security" size="sm" underline="always">
        {t("factor.setUpNow")}
      </Anchor>
    </Alert>
  );
}
