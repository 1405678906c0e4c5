import { Button, Group, Modal, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { Controller, useWatch } from "react-hook-form";
import { countryCalls } from "@arcada/contract/account/countries.calls";
import type { Input } from "@arcada/contract/kernel/call";
import { operatorCalls, staffRoles } from "@arcada/contract/operator/operator.calls";
import { currentLanguage, useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { useCallOnce } from "../data/use-call-once.ts";
import { FormError } from "../ui/form/form-error.tsx";

type Values = Input<typeof operatorCalls.appoint>;

/** Appoints an account holder to one of two roles. */
export function AppointDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts("operator");
  const { form, submit, busy, problem, error } = useCallForm<typeof operatorCalls.appoint, Values>(
    operatorCalls.appoint,
    {
      defaults: {
        account: "",
        countryCode: currentLanguage() === "zh" ? "+86" : "+1",
        role: "afterSalesMember",
      },
      onSuccess: ({ name }) => {
        toast("success", t("operator.staff.appointed", { name }));
        onClose();
      },
    },
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("operator.staff.appoint")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <AccountField form={form} error={error} />
          <RoleField form={form} />
          <FormError text={problem} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose} disabled={busy}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={busy}>
              {t("operator.staff.appoint")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** A phone number requires a country code. */
function AccountField({ form, error }: Pick<CallForm<Values>, "form" | "error">) {
  const t = useTexts("operator");
  const isNumber = /^\d+$/.test(useWatch({ control: form.control, name: "account" }).trim());
  const codes = (useCallOnce(countryCalls.fetchCountries, isNumber) ?? []).map(({ phoneCode }) => phoneCode);
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      {isNumber && (
        <NativeSelect
          label={t("operator.staff.countryCode")}
          data={[...new Set([form.getValues("countryCode") ?? "+86", ...codes])]}
          {...form.register("countryCode")}
        />
      )}
      <TextInput
        flex={1}
        label={t("operator.staff.account")}
        description={t("operator.staff.accountText")}
        autoComplete="off"
        data-autofocus
        error={error("account")}
        {...form.register("account")}
      />
    </Group>
  );
}

function RoleField({ form }: Pick<CallForm<Values>, "form">) {
  const t = useTexts("operator");
  return (
    <Controller
      control={form.control}
      name="role"
      render={({ field }) => (
        <Radio.Group label={t("operator.staff.role")} value={field.value} onChange={field.onChange}>
          <Stack gap="xs" mt="xs">
            {staffRoles.map((role) => (
              <Radio
                key={role}
                value={role}
                label={t(`common.role.${role}`)}
                description={t(`operator.staff.may.${role}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    />
  );
}
