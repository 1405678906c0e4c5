import { Stack, Text } from "@mantine/core";
import { smartCalls } from "@arcada/contract/smart/smart.calls";
import type { SmartApp } from "@arcada/contract/smart/smart.calls";
import { useCallForm } from "../data/use-call-form.ts";
import { useTexts } from "../i18n/texts.ts";
import { SecretDialog } from "../ui/create-secret-dialog.tsx";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { emptyProof, IdentityProofFields, toProofInput } from "../ui/form/identity-proof-fields.tsx";
import type { IdentityProof } from "../ui/form/identity-proof-fields.tsx";

interface Props {
  app: SmartApp;
  onClose: () => void;
}

/** Replaces the secret of an app: asks for the password again, then shows the new secret once. */
export function RenewAppSecret({ app, onClose }: Props) {
  const t = useTexts("smart");
  return (
    <SecretDialog
      title={t("smart.renewTitle", { name: app.name })}
      onClose={onClose}
      reveal={{ title: t("smart.secretTitle"), text: t("smart.secretText"), label: t("smart.secret") }}
    >
      {(made) => <Form app={app} onClose={onClose} onRenewed={made} />}
    </SecretDialog>
  );
}

function Form({ app: { id }, onClose, onRenewed }: Props & { onRenewed: (secret: string) => void }) {
  const t = useTexts("smart");
  const { form, submit, busy, problem, error } = useCallForm<typeof smartCalls.renewSecret, IdentityProof>(
    smartCalls.renewSecret,
    {
      defaults: emptyProof,
      input: (proof) => ({ id, ...toProofInput(proof) }),
      onSuccess: ({ secret }) => (secret === null ? onClose() : onRenewed(secret)),
    },
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{t("smart.renewText")}</Text>
        <IdentityProofFields password={form.register("password")} code={form.register("code")} error={error} />
        <FormFooter problem={problem} submitLabel={t("smart.renew")} busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}
