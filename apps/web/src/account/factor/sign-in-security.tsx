import { Badge, Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { factorCalls } from "@arcada/contract/factor/factor.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { refetchCurrentUser } from "../../session/current-user.ts";
import { loadTexts, useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCall } from "../../data/use-call.ts";
import { useCommand } from "../../data/use-command.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { Section } from "../../ui/page.tsx";
import { AuthenticatorAppSetup } from "./authenticator-app-setup.tsx";
import { LinkedAccounts } from "./linked-accounts.tsx";
import { Passkeys } from "./passkeys.tsx";
import { IdentityProofDialog, guardAction } from "./identity-proof-dialog.tsx";
import type { GuardedAction } from "./identity-proof-dialog.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SectionHeading } from "./section-heading.tsx";
import classes from "./factor.module.css";

type Factors = Output<typeof factorCalls.list>;

/** The factors that this user presents at sign-in in addition to, or instead of, the password. */
export function SignInSecurity() {
  const t = useTexts("account", "factor");
  const query = useCall(factorCalls.list, {});
  return (
    <Section title={t("factor.title")} description={t("factor.text")}>
      <QueryResult of={query}>{(factors) => <Factors factors={factors} />}</QueryResult>
    </Section>
  );
}

function Factors({ factors }: { factors: Factors }) {
  const [pendingAction, setPendingAction] = useState<GuardedAction | null>(null);
  const [codes, setCodes] = useState<string[]>([]);
  const hasTwoSteps = factors.totp || factors.passkeySecond;
  // Factors decide whether the institution is accessible, so fetch the user again after each change.
  const requireProof = (action: GuardedAction) =>
    setPendingAction({
      ...action,
      done: (data) => {
        void refetchCurrentUser();
        action.done(data);
      },
    });
  const showCodes = (fresh: string[]) => {
    void refetchCurrentUser();
    setCodes(fresh);
  };
  return (
    <Stack gap={0}>
      <div className={classes.part}>
        <AuthenticatorApp
          isOn={factors.totp}
          isFresh={factors.fresh}
          requireProof={requireProof}
          onRecovery={showCodes}
        />
      </div>
      <div className={classes.part}>
        <Passkeys factors={factors} requireProof={requireProof} onRecovery={showCodes} />
      </div>
      {hasTwoSteps && (
        <div className={classes.part}>
          <RecoverySection left={factors.recoveryLeft} requireProof={requireProof} onRecovery={showCodes} />
        </div>
      )}
      {factors.identities.length > 0 && (
        <div className={classes.part}>
          <LinkedAccounts identities={factors.identities} />
        </div>
      )}
      {pendingAction && (
        <IdentityProofDialog
          action={pendingAction}
          proofs={{ password: factors.hasPassword, code: factors.totp || factors.recoveryLeft > 0 }}
          onClose={() => setPendingAction(null)}
        />
      )}
      <RecoveryCodes codes={codes} onClose={() => setCodes([])} />
    </Stack>
  );
}

interface PartProps {
  requireProof: (action: GuardedAction) => void;
  onRecovery: (codes: string[]) => void;
}

function AuthenticatorApp({
  isOn,
  isFresh,
  requireProof,
  onRecovery,
}: PartProps & { isOn: boolean; isFresh: boolean }) {
  const t = useTexts("factor");
  const start = useCommand(factorCalls.totpStart);
  const [secret, setSecret] = useState<Output<typeof factorCalls.totpStart> | null>(null);
  const startSetup = async () => {
    if (!isFresh) return requireProof(guardAction(factorCalls.totpStart, { done: setSecret }));
    const started = await start.run({});
    if (started) setSecret(started.data);
  };
  const switchOff = () =>
    requireProof(guardAction(factorCalls.totpRemove, { done: () => toast("success", t("factor.appOff")) }));
  return (
    <Group justify="space-between" gap="sm">
      <SectionHeading title={t("factor.app")} text={t("factor.appText")} />
      <Group gap="sm">
        <Badge variant="light" color={isOn ? "teal" : "gray"}>
          {t(isOn ? "factor.on" : "factor.off")}
        </Badge>
        <Button
          variant={isOn ? "default" : "light"}
          loading={start.busy}
          onClick={isOn ? switchOff : () => void startSetup()}
        >
          {t(isOn ? "factor.switchOff" : "factor.setUp")}
        </Button>
      </Group>
      {secret && (
        <AuthenticatorAppSetup
          {...secret}
          onClose={() => setSecret(null)}
          done={(recovery) => {
            setSecret(null);
            toast("success", t("factor.appDone"));
            onRecovery(recovery);
          }}
        />
      )}
    </Group>
  );
}

function RecoverySection({ left, requireProof, onRecovery }: PartProps & { left: number }) {
  const t = useTexts("factor");
  const renew = () =>
    requireProof(
      guardAction(factorCalls.recoveryRenew, {
        text: t("factor.recoveryAgain"),
        done: ({ recovery }) => onRecovery(recovery),
      }),
    );
  return (
    <Group justify="space-between" gap="sm">
      <SectionHeading title={t("factor.recovery")} text={t("factor.recoveryText")} />
      <Group gap="sm">
        <Badge variant="light" color={left > 2 ? "teal" : "yellow"}>
          {t("factor.recoveryLeft", { count: left })}
        </Badge>
        <Button variant="default" onClick={renew}>
          {t("factor.recoveryNew")}
        </Button>
      </Group>
    </Group>
  );
}

await loadTexts("factor");
