import { Button, Group, Stack, Switch, Text } from "@mantine/core";
import { IconFingerprint, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { factorCalls } from "@arcada/contract/factor/factor.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { formatTimeAgo, formatDay } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";
import classes from "../profile/profile.module.css";
import { AddPasskey } from "./add-passkey.tsx";
import { supportsPasskeys } from "./passkey-support.ts";
import { guardAction } from "./identity-proof-dialog.tsx";
import type { GuardedAction } from "./identity-proof-dialog.tsx";
import { SectionHeading } from "./section-heading.tsx";

type Factors = Output<typeof factorCalls.list>;
interface Props {
  factors: Factors;
  requireProof: (action: GuardedAction) => void;
  onRecovery: (codes: string[]) => void;
}

/** The passkeys of this user: add, remove, and the setting that also requires one after the password. */
export function Passkeys({ factors, requireProof, onRecovery }: Props) {
  const t = useTexts("factor");
  const [creationOptions, setCreationOptions] = useState<Output<typeof factorCalls.passkeyStart> | null>(null);
  const start = useCommand(factorCalls.passkeyStart);
  const second = useCommand(factorCalls.passkeySecond);
  const { passkeys, passkeySecond, fresh } = factors;
  const setSecondFactor = async (on: boolean) => {
    const done = ({ recovery }: { recovery: string[] }) => onRecovery(recovery);
    if (!on || !fresh) return requireProof(guardAction(factorCalls.passkeySecond, { input: { on }, done }));
    const switched = await second.run({ on });
    if (switched) done(switched.data);
  };
  const add = async () => {
    if (!fresh) return requireProof(guardAction(factorCalls.passkeyStart, { done: setCreationOptions }));
    const started = await start.run({});
    if (started) setCreationOptions(started.data);
  };
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <SectionHeading title={t("factor.passkeys")} text={t("factor.passkeysText")} />
        <Button
          variant="light"
          leftSection={<IconPlus size={18} />}
          disabled={!supportsPasskeys()}
          loading={start.busy}
          onClick={() => void add()}
        >
          {t("factor.passkeyAdd")}
        </Button>
      </Group>
      {!supportsPasskeys() && (
        <Text size="sm" c="dimmed">
          {t("factor.passkeyCannot")}
        </Text>
      )}
      {passkeys.length === 0 && supportsPasskeys() && (
        <Text size="sm" c="dimmed">
          {t("factor.passkeyNone")}
        </Text>
      )}
      <PasskeyRows passkeys={passkeys} requireProof={requireProof} />
      {passkeys.length > 0 && (
        <Switch
          label={t("factor.passkeySecond")}
          checked={passkeySecond}
          disabled={second.busy}
          onChange={(event) => void setSecondFactor(event.currentTarget.checked)}
        />
      )}
      {creationOptions && (
        <AddPasskey options={creationOptions} onClose={() => setCreationOptions(null)} done={onRecovery} />
      )}
    </Stack>
  );
}

interface RowsProps {
  passkeys: Factors["passkeys"];
  requireProof: Props["requireProof"];
}

function PasskeyRows({ passkeys, requireProof }: RowsProps) {
  const t = useTexts("factor");
  const remove = (id: string, name: string) =>
    requireProof(
      guardAction(factorCalls.passkeyRemove, {
        input: { id },
        text: `${t("factor.passkeyRemove", { name })}: ${t("factor.passkeyRemoveText")}`,
        done: () => toast("success", t("factor.passkeyRemoved")),
      }),
    );
  return (
    <div>
      {passkeys.map(({ id, name, madeAt, usedAt }) => (
        <Group key={id} justify="space-between" wrap="nowrap" className={classes.row}>
          <Group gap="sm" wrap="nowrap" miw={0}>
            <IconFingerprint size={22} stroke={1.5} aria-hidden />
            <div className={classes.words}>
              <Text size="sm" fw={600} truncate>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                {t("factor.madeAt", { day: formatDay(madeAt) })} ·{" "}
                {usedAt ? t("factor.usedAgo", { ago: formatTimeAgo(usedAt) }) : t("factor.neverUsed")}
              </Text>
            </div>
          </Group>
          <Button
            variant="default"
            size="sm"
            aria-label={t("factor.passkeyRemove", { name })}
            onClick={() => remove(id, name)}
          >
            {t("common.remove")}
          </Button>
        </Group>
      ))}
    </div>
  );
}
