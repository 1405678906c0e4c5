import { Checkbox, Loader, Paper, Text } from "@mantine/core";
import { useState } from "react";
import { showError } from "../../data/show-error.ts";
import { useTexts } from "../../i18n/texts.ts";
import { solveProofOfWork } from "./proof-of-work.ts";

interface Props {
  human: string | undefined;
  /** The difficulty from the server's rejection. */
  work?: number;
  onSolved: (human: string) => void;
}

/**
 * Shown after too many failed sign-ins: a check box for a person, and a proof of work that is expensive for a flood of
 * requests.
 */
export function HumanCheck({ human, work = 0, onSolved }: Props) {
  const t = useTexts("account");
  const [busy, setBusy] = useState(false);
  const solve = async () => {
    setBusy(true);
    try {
      onSolved(await solveProofOfWork(work));
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Paper withBorder p="md" radius="md">
      {busy ? (
        <Text size="sm" role="status">
          <Loader size={16} mr="sm" component="span" />
          {t(work > 0 ? "account.checkingLong" : "account.checking")}
        </Text>
      ) : (
        <Checkbox
          checked={human !== undefined}
          onChange={() => void solve()}
          label={human ? t("account.humanDone") : t("account.human")}
        />
      )}
    </Paper>
  );
}
