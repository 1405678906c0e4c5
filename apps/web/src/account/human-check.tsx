import { Checkbox, Loader, Paper, Text } from "@mantine/core";
import { useState } from "react";
import { show } from "../kernel/show.ts";
import { useTexts } from "../kernel/texts.ts";
import { solveHuman } from "./human.ts";

interface Props {
  human: string | undefined;
  /** As the server's refusal said. */
  work?: number;
  onSolved: (human: string) => void;
}

/** Shown when too many sign-ins failed: a tick that a person gives and a flood of requests has to work for. */
export function HumanCheck({ human, work = 0, onSolved }: Props) {
  const t = useTexts("account");
  const [busy, setBusy] = useState(false);
  const solve = async () => {
    setBusy(true);
    try {
      onSolved(await solveHuman(work));
    } catch (error) {
      show(error);
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
