import { Button, Group, Stack, Switch, Text } from "@mantine/core";
import { IconFingerprint, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { factorCalls } from "@arcada/contract/factor/factor.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { showAgo, showDay } from "../../kernel/format.ts";
import { useTexts } from "../../kernel/texts.ts";
import { toast } from "../../kernel/toast.ts";
import { useCommand } from "../../kernel/use-command.ts";
import classes from "../profile.module.css";
import { AddPasskey } from "./add-passkey.tsx";
import { canPasskeys } from "./can-passkeys.ts";
import type { ToProve } from "./proof-dialog.tsx";
import { Words } from "./words.tsx";

type Factors = Output<typeof factorCalls.list>;
interface Props {
  factors: Factors;
  prove: (what: ToProve) => void;
  onRecovery: (codes: string[]) => void;
}

/** The passkeys of this user: add one, remove one, and whether one is asked for after the password too. */
export function Passkeys({ factors, prove, onRecovery }: Props) {
  const t = useTexts("factor");
  const [isAdding, setAdding] = useState(false);
  const second = useCommand(factorCalls.passkeySecond);
  const { passkeys, passkeySecond } = factors;
  const askAlways = async (on: boolean) => {
    const done = (data: { recovery: string[] } | null) => onRecovery(data?.recovery ?? []);
    if (!on) return prove({ call: factorCalls.passkeySecond, input: { on }, text: "", done });
    const switched = await second.run({ on });
    if (switched) done(switched.data);
  };
  const remove = (id: string, name: string) =>
    prove({
      call: factorCalls.passkeyRemove,
      input: { id },
      text: `${t("factor.passkeyRemove", { name })}: ${t("factor.passkeyRemoveText")}`,
      done: () => toast("success", t("factor.passkeyRemoved")),
    });
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Words title={t("factor.passkeys")} text={t("factor.passkeysText")} />
        <Button
          variant="light"
          leftSection={<IconPlus size={18} />}
          disabled={!canPasskeys()}
          onClick={() => setAdding(true)}
        >
          {t("factor.passkeyAdd")}
        </Button>
      </Group>
      {!canPasskeys() && (
        <Text size="sm" c="dimmed">
          {t("factor.passkeyCannot")}
        </Text>
      )}
      {passkeys.length === 0 && canPasskeys() && (
        <Text size="sm" c="dimmed">
          {t("factor.passkeyNone")}
        </Text>
      )}
      <PasskeyRows passkeys={passkeys} remove={remove} />
      {passkeys.length > 0 && (
        <Switch
          label={t("factor.passkeySecond")}
          checked={passkeySecond}
          disabled={second.busy}
          onChange={(event) => void askAlways(event.currentTarget.checked)}
        />
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
    </Stack>
  );
}

interface RowsProps {
  passkeys: Factors["passkeys"];
  remove: (id: string, name: string) => void;
}

function PasskeyRows({ passkeys, remove }: RowsProps) {
  const t = useTexts("factor");
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
                {t("factor.madeAt", { day: showDay(madeAt) })} ·{" "}
                {usedAt ? t("factor.usedAgo", { ago: showAgo(usedAt) }) : t("factor.neverUsed")}
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
