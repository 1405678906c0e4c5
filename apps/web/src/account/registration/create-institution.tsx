import { Group, Modal, Radio, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { Controller, useWatch } from "react-hook-form";
import type { UserInfo } from "@arcada/contract/account/user-info.schema";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { institutionTypes } from "@arcada/contract/institution/institution-types";
import { currentLanguage, useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCallForm } from "../../data/use-call-form.ts";
import type { CallForm } from "../../data/use-call-form.ts";
import { getBrowserZone } from "../../i18n/time-zone.ts";
import { CountrySelect } from "../fields/country-select.tsx";
import { getDefaultCountry } from "../fields/format-country.ts";
import { joinAddress, noPlace, PlaceFields } from "./place-fields.tsx";
import type { Place } from "./place-fields.tsx";
import { DraftNotice } from "../../ui/form/draft-notice.tsx";
import { FormFooter } from "../../ui/form/form-footer.tsx";

interface Values {
  name: string;
  type: (typeof institutionTypes)[number];
  country: string;
  /** The zone of the browser; the settings of the institution change it. */
  timeZone: string;
  place: Place;
  /** The street and the house; the place is joined to it. */
  address: string;
  contactPerson: string;
  contactWay: string;
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
          <AddressFields form={form} error={error} />
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
  country: user.country ?? getDefaultCountry(currentLanguage()),
  timeZone: getBrowserZone(),
  place: noPlace,
  address: "",
  contactPerson: user.userName,
  contactWay: user.phone ?? user.email ?? "",
});

const toInput = ({ place, address, contactPerson, contactWay, ...same }: Values) => ({
  ...same,
  address: joinAddress(same.country, address, place) || null,
  contactPerson: contactPerson || null,
  contactWay: contactWay || null,
});

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
          onChange={(country) => {
            field.onChange(country);
            form.setValue("place", noPlace);
          }}
          onBlur={field.onBlur}
          error={error("country")}
        />
      )}
    />
  );
}

function AddressFields({ form, error }: Pick<CallForm<Values>, "form" | "error">) {
  const t = useTexts("institution");
  const country = useWatch({ control: form.control, name: "country" });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Controller
        control={form.control}
        name="place"
        render={({ field: { value, onChange } }) => (
          <PlaceFields key={country} country={country} value={value} onChange={onChange} />
        )}
      />
      <TextInput
        label={t("institution.street")}
        autoComplete="street-address"
        maxLength={200}
        {...form.register("address")}
        error={error("address")}
      />
    </SimpleGrid>
  );
}

function ContactFields({ form, error }: Pick<CallForm<Values>, "form" | "error">) {
  const t = useTexts("institution");
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {(["contactPerson", "contactWay"] as const).map((field) => (
        <TextInput key={field} label={t(`institution.${field}`)} {...form.register(field)} error={error(field)} />
      ))}
    </SimpleGrid>
  );
}
