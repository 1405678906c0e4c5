import { Group, Modal, Radio, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { Controller } from "react-hook-form";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { institutionCalls, institutionTypes } from "@arcada/contract/institution/institution.calls";
import { currentLanguage, useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCallForm } from "../../data/use-call-form.ts";
import type { CallForm } from "../../data/use-call-form.ts";
import { getBrowserZone, listZoneOptions } from "../../i18n/time-zone.ts";
import { CountrySelect } from "../fields/country-select.tsx";
import { getDefaultCountry } from "../fields/format-country.ts";
import { DraftNotice } from "../../ui/form/draft-notice.tsx";
import { FormFooter } from "../../ui/form/form-footer.tsx";
import { TimeZoneSelect } from "../../ui/form/time-zone-select.tsx";

interface Values {
  name: string;
  type: (typeof institutionTypes)[number];
  country: string;
  timeZone: string;
  address: string;
  contactPerson: string;
  contactWay: string;
  longitude: string;
  latitude: string;
}

/** Creates an institution. Its creator becomes the manager and continues with it as the active institution. */
export function CreateInstitution({ opened, onClose, user }: { opened: boolean; onClose: () => void; user: UserInfo }) {
  const t = useTexts("institution");
  const { form, submit, busy, problem, error, isRestored, startOver } = useCallForm<
    typeof institutionCalls.create,
    Values
  >(institutionCalls.create, {
    defaults: getInitialValues(user),
    draft: "institution.new",
    input: toInput,
    onSuccess: () => {
      toast("success", t("institution.created"));
      // The session's active institution is now the new one, so every page must reload.
      setTimeout(() => location.assign("/"), 600);
    },
  });
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t("institution.create")}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t("institution.createText")}
          </Text>
          {isRestored && <DraftNotice onStartOver={startOver} />}
          <TypeField form={form} />
          <TextInput
            label={t("institution.name")}
            placeholder={t("institution.nameHint")}
            required
            data-autofocus
            {...form.register("name")}
            error={error("name")}
          />
          <CountryField form={form} error={error} />
          <ZoneField form={form} error={error} />
          <TextInput label={t("institution.address")} {...form.register("address")} error={error("address")} />
          <ContactFields form={form} error={error} />
          <FormFooter problem={problem} submitLabel={t("institution.create")} busy={busy} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}

const getInitialValues = (user: UserInfo): Values => ({
  name: "",
  type: user.intendedRole === "labManager" || user.intendedRole === "designer" ? "lab" : "clinic",
  country: getDefaultCountry(currentLanguage()),
  timeZone: getBrowserZone(),
  address: "",
  contactPerson: user.userName,
  contactWay: user.phone ?? user.email ?? "",
  longitude: "",
  latitude: "",
});

const toInput = ({ address, contactPerson, contactWay, longitude, latitude, ...same }: Values) => ({
  ...same,
  address: address || null,
  contactPerson: contactPerson || null,
  contactWay: contactWay || null,
  longitude: parseCoordinate(longitude),
  latitude: parseCoordinate(latitude),
});
/** Text that is not a number becomes NaN, which validation rejects beside the field. */
const parseCoordinate = (text: string): number | null => (text.trim() === "" ? null : Number(text));

function TypeField({ form }: Pick<CallForm<Values>, "form">) {
  const t = useTexts("institution");
  return (
    <Controller
      control={form.control}
      name="type"
      render={({ field }) => (
        <Radio.Group label={t("institution.type")} {...field}>
          <Group mt={6}>
            {institutionTypes.map((type) => (
              <Radio key={type} value={type} label={t(`common.institutionType.${type}`)} />
            ))}
          </Group>
        </Radio.Group>
      )}
    />
  );
}

function CountryField({ form, error }: Pick<CallForm<Values>, "form" | "error">) {
  const t = useTexts("institution");
  return (
    <Controller
      control={form.control}
      name="country"
      render={({ field }) => (
        <CountrySelect
          label={t("institution.country")}
          description={t("institution.countryOnce")}
          value={field.value}
          onChange={field.onChange}
          onBlur={field.onBlur}
          error={error("country")}
        />
      )}
    />
  );
}

function ZoneField({ form, error }: Pick<CallForm<Values>, "form" | "error">) {
  const t = useTexts("institution");
  return (
    <Controller
      control={form.control}
      name="timeZone"
      render={({ field: { value, onChange, onBlur } }) => (
        <TimeZoneSelect
          label={t("institution.timeZone")}
          description={t("institution.timeZoneText")}
          zones={listZoneOptions(value)}
          value={value}
          onChange={onChange}
          onBlur={onBlur}
          error={error("timeZone")}
        />
      )}
    />
  );
}

function ContactFields({ form, error }: Pick<CallForm<Values>, "form" | "error">) {
  const t = useTexts("institution");
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {(["contactPerson", "contactWay"] as const).map((field) => (
        <TextInput key={field} label={t(`institution.${field}`)} {...form.register(field)} error={error(field)} />
      ))}
      {(["longitude", "latitude"] as const).map((field) => (
        <TextInput
          key={field}
          label={t(`institution.${field}`)}
          description={t(`institution.${field}Text`)}
          inputMode="decimal"
          dir="ltr"
          {...form.register(field)}
          error={error(field)}
        />
      ))}
    </SimpleGrid>
  );
}
