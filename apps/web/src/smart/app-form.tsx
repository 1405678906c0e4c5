import { Modal, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { Controller } from "react-hook-form";
import { smartCalls } from "@arcada/contract/smart/smart.calls";
import type { SmartApp } from "@arcada/contract/smart/smart.calls";
import { splitScopes } from "@arcada/contract/smart/smart-scopes";
import { appKinds, smartRules } from "@arcada/contract/smart/smart.rules";
import type { AppKind } from "@arcada/contract/smart/smart.rules";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { useTexts } from "../i18n/texts.ts";
import { SecretDialog } from "../ui/create-secret-dialog.tsx";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { emptyProof, IdentityProofFields, toProofInput } from "../ui/form/identity-proof-fields.tsx";
import type { IdentityProof } from "../ui/form/identity-proof-fields.tsx";
import { AccessList } from "./access-list.tsx";

interface Values extends IdentityProof {
  name: string;
  kind: AppKind;
  /** One on each line. */
  redirectUris: string;
  launchUrl: string;
  scopes: string;
  keys: string;
}

const toLines = (text: string): string[] => splitScopes(text.replace(/\s/g, " "));

const toInput = ({ name, redirectUris, launchUrl, scopes, keys, ...rest }: Values) => ({
  name,
  launchUrl,
  keys,
  redirectUris: toLines(redirectUris),
  scopes: toLines(scopes),
  ...toProofInput(rest),
});

/** Registers an app, and shows its secret once if it has one. */
export function RegisterApp({ onClose }: { onClose: () => void }) {
  const t = useTexts("smart");
  return (
    <SecretDialog
      title={t("smart.new")}
      onClose={onClose}
      reveal={{ title: t("smart.secretTitle"), text: t("smart.secretText"), label: t("smart.secret") }}
    >
      {(made) => <RegisterForm onClose={onClose} onCreated={made} />}
    </SecretDialog>
  );
}

function RegisterForm({ onClose, onCreated }: { onClose: () => void; onCreated: (secret: string) => void }) {
  const t = useTexts("smart");
  const call = useCallForm<typeof smartCalls.register, Values>(smartCalls.register, {
    defaults: { name: "", kind: "public", redirectUris: "", launchUrl: "", scopes: "", keys: "", ...emptyProof },
    input: (values) => ({ kind: values.kind, ...toInput(values) }),
    onSuccess: ({ secret }) => (secret === null ? onClose() : onCreated(secret)),
  });
  return <AppFields call={call} action={t("smart.make")} onClose={onClose} />;
}

/** Changes an app; how it proves who it is stays. */
export function ChangeApp({ app, onClose }: { app: SmartApp; onClose: () => void }) {
  const t = useTexts("smart");
  const { id, name, kind, redirectUris, launchUrl, scopes, keys } = app;
  const call = useCallForm<typeof smartCalls.change, Values>(smartCalls.change, {
    defaults: {
      name,
      kind,
      redirectUris: redirectUris.join("\n"),
      launchUrl: launchUrl ?? "",
      scopes: scopes.join("\n"),
      keys: keys ?? "",
      ...emptyProof,
    },
    input: (values) => ({ id, ...toInput(values) }),
    onSuccess: onClose,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("smart.editTitle", { name })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <AppFields call={call} action={t("common.save")} onClose={onClose} isKindFixed />
    </Modal>
  );
}

interface FieldsProps {
  call: CallForm<Values>;
  action: string;
  onClose: () => void;
  isKindFixed?: boolean;
}
function AppFields({ call, action, onClose, isKindFixed = false }: FieldsProps) {
  const t = useTexts("smart");
  const { form, submit, busy, problem, error } = call;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <TextInput
          label={t("smart.name")}
          description={t("smart.nameText")}
          required
          data-autofocus
          autoComplete="off"
          maxLength={60}
          {...form.register("name")}
          error={error("name")}
        />
        <KindField call={call} isFixed={isKindFixed} />
        <AddressFields call={call} />
        <Textarea
          label={t("smart.scopes")}
          description={t("smart.scopesText")}
          required
          dir="ltr"
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          {...form.register("scopes")}
          error={findProblem(call, "scopes")}
        />
        <AccessList scopes={toLines(form.watch("scopes"))} />
        <IdentityProofFields password={form.register("password")} code={form.register("code")} error={error} />
        <FormFooter problem={problem} submitLabel={action} busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}

function KindField({ call: { form }, isFixed }: { call: CallForm<Values>; isFixed: boolean }) {
  const t = useTexts("smart");
  return (
    <Controller
      control={form.control}
      name="kind"
      render={({ field: { value, onChange } }) => (
        <Select
          label={t("smart.kind.title")}
          allowDeselect={false}
          disabled={isFixed}
          value={value}
          onChange={onChange}
          data={appKinds.map((kind) => ({ value: kind, label: t(`smart.kind.${kind}`) }))}
        />
      )}
    />
  );
}

function AddressFields({ call }: { call: CallForm<Values> }) {
  const t = useTexts("smart");
  const { form } = call;
  return (
    <>
      <Textarea
        label={t("smart.redirects")}
        description={t("smart.redirectsText")}
        dir="ltr"
        autosize
        minRows={1}
        maxRows={6}
        spellCheck={false}
        {...form.register("redirectUris")}
        error={findProblem(call, "redirectUris")}
      />
      <TextInput
        label={t("smart.launchUrl")}
        description={t("smart.launchUrlText")}
        dir="ltr"
        type="url"
        autoComplete="off"
        maxLength={smartRules.maxAddressLength}
        {...form.register("launchUrl")}
        error={call.error("launchUrl")}
      />
      {form.watch("kind") === "keys" && (
        <Textarea
          label={t("smart.keys")}
          description={t("smart.keysText")}
          required
          dir="ltr"
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          {...form.register("keys")}
          error={call.error("keys")}
        />
      )}
    </>
  );
}

/** The problem of a field with several lines may be that of one line. */
function findProblem({ error }: CallForm<Values>, field: "scopes" | "redirectUris"): string | undefined {
  const lines = Array.from({ length: smartRules.maxScopes }, (_, at) => error(`${field}.${at}` as typeof field));
  return error(field) ?? lines.find((problem) => problem !== undefined);
}
