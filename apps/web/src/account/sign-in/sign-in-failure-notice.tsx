import { Alert, Anchor } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { screens } from "@arcada/contract/screens";
import type { RefusalError } from "../../data/call-errors.ts";
import { useTexts } from "../../i18n/texts.ts";
import { FormError } from "../../ui/form/form-error.tsx";
import { handOffAccount } from "../../session/carry-values-across-sign-in.ts";

/**
 * Shows why a sign-in failed. An account that is not registered gets a link to the registration, which keeps what was
 * typed.
 */
export function ReasonNotice({
  refused,
  problem,
  account,
  isHumanCheckDone,
}: {
  refused: RefusalError | null;
  problem: string | undefined;
  account: string;
  /** True if the required security check is passed. */
  isHumanCheckDone: boolean;
}) {
  const t = useTexts("account");
  // Not an error: the form of the second factor replaces this one.
  if (refused?.name === "factorNeeded") return null;
  if (refused?.name === "accountUnknown")
    return (
      <Alert
        variant="light"
        color="yellow"
        icon={<IconUserPlus size={18} />}
        role="alert"
        title={t("common.field.accountUnknown")}
      >
        <Anchor href={screens.register.path} onClick={() => handOffAccount(account)}>
          {t("account.registerWith", { account })}
        </Anchor>
      </Alert>
    );
  if (refused?.name === "humanNeeded" && isHumanCheckDone) return null;
  if (refused?.name === "humanNeeded") return <FormError text={refused.msg} kind="info" />;
  return <FormError text={problem} />;
}
