import { Stack, Text } from "@mantine/core";
import { integrationCalls } from "@arcada/contract/integrations/integrations.calls";
import type { ApiKey } from "@arcada/contract/integrations/integrations.calls";
import { keyRules } from "@arcada/contract/integrations/integrations.rules";
import { useTexts } from "../i18n/texts.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { emptyProof, IdentityProofFields, toProofInput } from "../ui/form/identity-proof-fields.tsx";
import type { IdentityProof } from "../ui/form/identity-proof-fields.tsx";
import { SecretDialog } from "../ui/create-secret-dialog.tsx";

interface Props {
  apiKey: ApiKey;
  onClose: () => void;
}

/** Renews an API key: asks for the password again, then shows the new secret once. */
export function RenewApiKey({ apiKey, onClose }: Props) {
  const t = useTexts("interface");
  return (
    <SecretDialog
      title={t("interface.keys.renewTitle", { name: apiKey.name })}
      onClose={onClose}
      reveal={{
        title: t("interface.keys.renewed"),
        text: t("interface.keys.madeText"),
        label: t("interface.keys.key"),
      }}
    >
      {(made) => <Form apiKey={apiKey} onClose={onClose} onRenewed={made} />}
    </SecretDialog>
  );
}

function Form({ apiKey: { id }, onClose, onRenewed }: Props & { onRenewed: (secret: string) => void }) {
  const t = useTexts("interface");
  const { form, submit, busy, problem, error } = useCallForm<typeof integrationCalls.rotateKey, IdentityProof>(
    integrationCalls.rotateKey,
    {
      defaults: emptyProof,
      input: (proof) => ({ id, ...toProofInput(proof) }),
      onSuccess: ({ secret }) => onRenewed(secret),
    },
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{t("interface.keys.renewText", { hours: String(keyRules.rotationHours) })}</Text>
        <IdentityProofFields password={form.register("password")} code={form.register("code")} error={error} />
        <FormFooter problem={problem} submitLabel={t("interface.keys.renew")} busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}
