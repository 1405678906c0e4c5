import { Alert, Anchor } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { screens } from "@arcada/contract/screens";
import { useTexts } from "../../i18n/texts.ts";
import { handOffAccount } from "../../session/tab-handoff.ts";

/** A user who registers an existing account gets a link to the sign-in, which keeps what they typed. */
export function AccountTakenNotice({ account }: { account: string }) {
  const t = useTexts("account");
  return (
    <Alert
      variant="light"
      color="yellow"
      role="alert"
      icon={<IconInfoCircle size={18} />}
      title={t("common.field.accountTaken")}
    >
      <Anchor href={screens.login.path} onClick={() => handOffAccount(account)}>
        {t("account.signInWith", { label: account })}
      </Anchor>
    </Alert>
  );
}
