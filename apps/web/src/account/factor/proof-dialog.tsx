import { Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import type { factorCalls } from "@arcada/contract/factor/factor.calls";
import type { Input, Output } from "@arcada/contract/kernel/call";
import { useTexts } from "../../kernel/texts.ts";
import { useCallForm } from "../../kernel/use-form.ts";
import { FormFoot } from "../../ui/form-foot.tsx";

type Proven =
  | typeof factorCalls.prove
  | typeof factorCalls.totpStart
  | typeof factorCalls.passkeyStart
  | typeof factorCalls.totpRemove
  | typeof factorCalls.recoveryRenew
  | typeof factorCalls.passkeyRemove
  | typeof factorCalls.passkeySecond;
/** The action that runs once the account's owner has confirmed their identity. */
export interface ToProve {
  call: Proven;
  input: { id?: string; on?: boolean };
  text: string;
  done: (data: Output<Proven>) => void;
}
/** Builds the action for the proof dialog: a call, its input, and the handler for the call's answer. */
export const toProve = <C extends Proven>(
  call: C,
  what: { input?: ToProve["input"]; text?: string; done: (data: Output<C>) => void },
): ToProve => ({ call, input: what.input ?? {}, text: what.text ?? "", done: what.done as ToProve["done"] });

interface Props {
  of: ToProve;
  /** The proofs of identity that the account has. */
  has: { password: boolean; code: boolean };
  onClose: () => void;
}

/** Asks for the password or a code before a sign-in is weakened or a sign-in method is added. */
export function ProofDialog({ of, has, onClose }: Props) {
  const t = useTexts("factor");
  const { form, submit, busy, problem, error } = useCallForm<Proven, { password: string; code: string }>(of.call, {
    defaults: { password: "", code: "" },
    input: ({ password, code }) =>
      ({ ...of.input, ...(password && { password }), ...(code.trim() && { code: code.trim() }) }) as Input<Proven>,
    done: (data) => {
      onClose();
      of.done(data);
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("factor.proofTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text size="sm">
            {of.text} {(has.password || has.code) && t("factor.proofText")}
          </Text>
          {has.password && (
            <PasswordInput
              label={t("factor.proofPassword")}
              autoComplete="current-password"
              data-autofocus
              {...form.register("password")}
              error={error("password")}
              visibilityToggleButtonProps={{ "aria-label": t("account.showPassword") }}
            />
          )}
          {has.code && (
            <TextInput
              label={t("factor.proofCode")}
              autoComplete="one-time-code"
              {...(!has.password && { "data-autofocus": true })}
              {...form.register("code")}
              error={error("code")}
            />
          )}
          <FormFoot problem={problem} send={t("common.confirm")} busy={busy} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
