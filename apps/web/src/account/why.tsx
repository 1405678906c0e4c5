import { Alert, Anchor } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { screens } from "@arcada/contract/screens";
import type { RefusedAnswer } from "../kernel/refused.ts";
import { useTexts } from "../kernel/texts.ts";
import { FormProblem } from "../ui/form-problem.tsx";
import { carryAccount } from "../kernel/carried.ts";

/**
 * Shows why a sign-in failed. An account that is not registered gets a link to the registration, which keeps what was
 * typed.
 */
export function Why({
  refused,
  problem,
  account,
  isHuman,
}: {
  refused: RefusedAnswer | null;
  problem: string | undefined;
  account: string;
  /** True if the required security check is passed. */
  isHuman: boolean;
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
        <Anchor href={screens.register.path} onClick={() => carryAccount(account)}>
          {t("account.registerWith", { account })}
        </Anchor>
      </Alert>
    );
  if (refused?.name === "humanNeeded" && isHuman) return null;
  if (refused?.name === "humanNeeded") return <FormProblem text={refused.msg} kind="info" />;
  return <FormProblem text={problem} />;
}
