import { Checkbox, Select, Stack, TextInput } from "@mantine/core";
import { Controller } from "react-hook-form";
import { integrationCalls } from "@arcada/contract/integrations/integrations.calls";
import { keyRules, scopesForType } from "@arcada/contract/integrations/integrations.rules";
import type { KeyScope } from "@arcada/contract/integrations/integrations.rules";
import type { Input } from "@arcada/contract/kernel/call";
import { useCurrentUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { emptyProof, IdentityProofFields, toProofInput } from "../ui/form/identity-proof-fields.tsx";
import type { IdentityProof } from "../ui/form/identity-proof-fields.tsx";
import { SecretDialog } from "../ui/create-secret-dialog.tsx";

interface Values extends IdentityProof {
  name: string;
  scopes: KeyScope[];
  days: string;
}

/** Creates an API key: asks for its permissions and lifetime, then shows the key once. */
export function CreateApiKey({ onClose }: { onClose: () => void }) {
  const t = useTexts("interface");
  return (
    <SecretDialog
      title={t("interface.keys.new")}
      onClose={onClose}
      reveal={{
        title: t("interface.keys.madeTitle"),
        text: t("interface.keys.madeText"),
        label: t("interface.keys.key"),
      }}
    >
      {(made) => <Form onClose={onClose} onCreated={made} />}
    </SecretDialog>
  );
}

const toInput = ({ name, scopes, days, ...proof }: Values): Input<typeof integrationCalls.makeKey> => ({
  name,
  scopes,
  days: Number(days) as (typeof keyRules.days)[number],
  ...toProofInput(proof),
});

function Form({ onClose, onCreated }: { onClose: () => void; onCreated: (secret: string) => void }) {
  const t = useTexts("interface");
  const { form, submit, busy, problem, error } = useCallForm<typeof integrationCalls.makeKey, Values>(
    integrationCalls.makeKey,
    {
      defaults: { name: "", scopes: [], days: String(keyRules.defaultDays), ...emptyProof },
      input: toInput,
      onSuccess: ({ secret }) => onCreated(secret),
    },
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label={t("interface.keys.name")}
          description={t("interface.keys.nameText")}
          required
          data-autofocus
          autoComplete="off"
          maxLength={60}
          {...form.register("name")}
          error={error("name")}
        />
        <ScopeFields form={form} error={error} />
        <IdentityProofFields password={form.register("password")} code={form.register("code")} error={error} />
        <FormFooter problem={problem} submitLabel={t("interface.keys.make")} busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}

/** The permissions of the key and its expiry date. */
function ScopeFields({ form, error }: Pick<CallForm<Values>, "form" | "error">) {
  const t = useTexts("interface");
  const type = useCurrentUser()?.institution?.type ?? "clinic";
  return (
    <>
      <Controller
        control={form.control}
        name="scopes"
        render={({ field: { value, onChange } }) => (
          <Checkbox.Group
            label={t("interface.keys.scopes")}
            required
            value={value}
            onChange={onChange}
            error={error("scopes")}
          >
            <Stack gap="xs" mt="xs">
              {scopesForType(type).map((scope) => (
                <Checkbox key={scope} value={scope} label={t(`interface.scope.${scope}`)} />
              ))}
            </Stack>
          </Checkbox.Group>
        )}
      />
      <Controller
        control={form.control}
        name="days"
        render={({ field: { value, onChange } }) => (
          <Select
            label={t("interface.keys.days")}
            allowDeselect={false}
            value={value}
            onChange={onChange}
            data={keyRules.days.map((days) => ({
              value: String(days),
              label: days === 0 ? t("interface.keys.forever") : t("interface.keys.dayCount", { count: days }),
            }))}
          />
        )}
      />
    </>
  );
}
