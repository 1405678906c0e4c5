import { Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import type { factorCalls } from "@arcada/contract/factor/factor.calls";
import type { Input, Output } from "@arcada/contract/kernel/call";
import { useTexts } from "../../i18n/texts.ts";
import { useCallForm } from "../../data/use-call-form.ts";
import { FormFooter } from "../../ui/form/form-footer.tsx";

type GuardedCall =
  | typeof factorCalls.prove
  | typeof factorCalls.totpStart
  | typeof factorCalls.passkeyStart
  | typeof factorCalls.totpRemove
  | typeof factorCalls.recoveryRenew
  | typeof factorCalls.passkeyRemove
  | typeof factorCalls.passkeySecond;
/** The action that runs once the account's owner has confirmed their identity. */
export interface GuardedAction {
  call: GuardedCall;
  input: { id?: string; on?: boolean };
  text: string;
  done: (data: Output<GuardedCall>) => void;
}
/** Builds the action for the proof dialog: a call, its input, and the handler for the call's answer. */
export const guardAction = <C extends GuardedCall>(
  call: C,
  action: { input?: GuardedAction["input"]; text?: string; done: (data: Output<C>) => void },
): GuardedAction => ({
  call,
  input: action.input ?? {},
  text: action.text ?? "",
  done: action.done as GuardedAction["done"],
});

interface Props {
  action: GuardedAction;
  /** The proofs of identity that the account has. */
  proofs: { password: boolean; code: boolean };
  onClose: () => void;
}

/** Asks for the password or a code before a sign-in is weakened or a sign-in method is added. */
export function IdentityProofDialog({ action, proofs, onClose }: Props) {
  const t = useTexts("factor");
  const { form, submit, busy, problem, error } = useCallForm<GuardedCall, { password: string; code: string }>(
    action.call,
    {
      defaults: { password: "", code: "" },
      input: ({ password, code }) =>
        ({
          ...action.input,
          ...(password && { password }),
          ...(code.trim() && { code: code.trim() }),
        }) as Input<GuardedCall>,
      onSuccess: (data) => {
        onClose();
        action.done(data);
      },
    },
  );
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
            {action.text} {(proofs.password || proofs.code) && t("factor.proofText")}
          </Text>
          {proofs.password && (
            <PasswordInput
              label={t("factor.proofPassword")}
              autoComplete="current-password"
              data-autofocus
              {...form.register("password")}
              error={error("password")}
              visibilityToggleButtonProps={{ "aria-label": t("account.showPassword") }}
            />
          )}
          {proofs.code && (
            <TextInput
              label={t("factor.proofCode")}
              autoComplete="one-time-code"
              {...(!proofs.password && { "data-autofocus": true })}
              {...form.register("code")}
              error={error("code")}
            />
          )}
          <FormFooter problem={problem} submitLabel={t("common.confirm")} busy={busy} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
