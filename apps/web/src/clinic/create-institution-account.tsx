import { Modal, Radio, Select, Stack, Text, TextInput } from "@mantine/core";
import { Controller } from "react-hook-form";
import { countryCalls } from "@arcada/contract/account/countries.calls";
import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { ClinicDetail } from "@arcada/contract/clinic/clinic.calls";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { institutionTypes } from "@arcada/contract/institution/institution-types";
import type { Input } from "@arcada/contract/kernel/call";
import { useOpenScreen } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The record of the clinic that gets an account; without it any institution. */
  clinic?: ClinicDetail;
}

/** After-sales creates an institution together with the account of its first manager. */
export function OpenInstitutionAccount({ opened, onClose, clinic }: Props) {
  const t = useTexts("clinic");
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t("clinic.openAccount")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Form onClose={onClose} {...(clinic && { clinic })} />
    </Modal>
  );
}

function Form({ onClose, clinic }: Omit<Props, "opened">) {
  const t = useTexts("clinic");
  const go = useOpenScreen();
  // Links the record, so that its devices and work orders move to the account.
  const link = useCommand(clinicCalls.link, { removedIds: ({ id }) => [id] });
  const { form, submit, busy, problem, refused, error } = useCallForm<typeof institutionCalls.openAccount, Values>(
    institutionCalls.openAccount,
    {
      defaults: {
        type: "clinic",
        name: clinic?.name ?? "",
        country: clinic?.country ?? "",
        email: "",
        personName: clinic?.leader ?? "",
      },
      input: (values) => values,
      onSuccess: ({ name, number }) => {
        toast("success", t("clinic.openedAccount", { name, number }));
        onClose();
        if (!clinic) return;
        void link.run({ id: clinic.id, version: clinic.version, number }).then((joined) => {
          if (joined) go("clinicDetail", { id: joined.data.id }, { replace: true });
        });
      },
    },
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t("clinic.openAccountText")}
        </Text>
        {!clinic && <KindField form={form} />}
        <OrganisationFields
          form={form}
          // The usual text tells the owner of an account to sign in with it.
          error={(field) => error(field) && (refused?.name === "accountTaken" ? t("clinic.openedTaken") : error(field))}
        />
        <FormFooter problem={problem} submitLabel={t("clinic.openAccount")} busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}

type Values = Input<typeof institutionCalls.openAccount>;
type WithForm = Pick<CallForm<Values>, "form">;

function KindField({ form }: WithForm) {
  const t = useTexts("clinic");
  return (
    <Radio.Group
      label={t("clinic.openedType")}
      value={form.watch("type")}
      onChange={(type) => form.setValue("type", type as (typeof institutionTypes)[number])}
    >
      <Stack gap="xs" mt={6}>
        {institutionTypes.map((type) => (
          <Radio key={type} value={type} label={t(`common.institutionType.${type}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function OrganisationFields({ form, error }: WithForm & Pick<CallForm<Values>, "error">) {
  const t = useTexts("clinic");
  const countries = useCall(countryCalls.fetchCountries, {}).data ?? [];
  return (
    <>
      <TextInput
        label={t("clinic.openedName")}
        required
        data-autofocus
        maxLength={120}
        {...form.register("name")}
        error={error("name")}
      />
      <Controller
        control={form.control}
        name="country"
        render={({ field }) => (
          <Select
            label={t("clinic.country")}
            required
            searchable
            data={countries.map(({ code, name, native }) => ({
              value: code,
              label: native === name ? native : `${native} (${name})`,
            }))}
            value={field.value || null}
            onChange={(code) => field.onChange(code ?? "")}
            error={error("country")}
          />
        )}
      />
      <TextInput
        label={t("clinic.openedPerson")}
        required
        maxLength={60}
        {...form.register("personName")}
        error={error("personName")}
      />
      <TextInput
        type="email"
        label={t("clinic.openedEmail")}
        required
        autoComplete="off"
        maxLength={120}
        {...form.register("email")}
        error={error("email")}
      />
    </>
  );
}
