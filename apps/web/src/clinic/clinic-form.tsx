import { Drawer, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { countryCalls } from "@arcada/contract/account/countries.calls";
import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { ClinicDetail } from "@arcada/contract/clinic/clinic.calls";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { DraftNotice } from "../ui/form/draft-notice.tsx";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { toInput, toValues } from "./clinic-form-values.ts";
import type { ClinicValues } from "./clinic-form-values.ts";
import classes from "./clinic.module.css";
import { RegionFields } from "./region-fields.tsx";
import { DayFormField } from "../ui/form/day-form-field.tsx";

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The record to change; without it a new one is made. */
  clinic?: ClinicDetail;
  onSaved: (clinic: ClinicDetail) => void;
}

/** A clinic's record. */
export function ClinicForm({ opened, onClose, clinic, onSaved }: Props) {
  const t = useTexts("clinic");
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={600}
      title={clinic ? t("clinic.editTitle", { name: clinic.name }) : t("clinic.new")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Form
        clinic={clinic ?? null}
        onClose={onClose}
        onSaved={(saved) => {
          toast("success", t("common.saved"));
          onClose();
          onSaved(saved);
        }}
      />
    </Drawer>
  );
}

interface FormProps {
  clinic: ClinicDetail | null;
  onClose: () => void;
  onSaved: (clinic: ClinicDetail) => void;
}

function Form({ clinic, onClose, onSaved }: FormProps) {
  const t = useTexts("clinic");
  // The record as it was when the form opened: a concurrent change is rejected by the server, not overwritten.
  const [base] = useState(clinic);
  const call = useCallForm<typeof clinicCalls.create | typeof clinicCalls.update, ClinicValues>(
    base ? clinicCalls.update : clinicCalls.create,
    {
      defaults: toValues(base),
      draft: base ? `clinic.${base.id}.${base.version}` : "clinic.new",
      input: (values) => (base ? { ...toInput(values), id: base.id, version: base.version } : toInput(values)),
      onSuccess: onSaved,
    },
  );
  return (
    <form onSubmit={(event) => void call.submit(event)} noValidate>
      <Stack gap="md">
        {call.isRestored && <DraftNotice onStartOver={call.startOver} />}
        <div className={classes.form}>
          <TextInput
            className={classes.whole}
            label={t("clinic.name")}
            {...(base?.institutionId && { description: t("clinic.nameOwn"), disabled: true })}
            required
            data-autofocus
            maxLength={120}
            error={call.error("name")}
            {...call.form.register("name")}
          />
          <RegionSection call={call} countryFixed={Boolean(base?.institutionId)} />
          <TextLine field="address" maxLength={200} call={call} isFullWidth />
          <ContactFields call={call} />
          <DayFormField form={call.form} field="setUpAt" label={t("clinic.setUp")} error={call.error("setUpAt")} />
          <TextLine field="longitude" maxLength={20} call={call} inputMode="decimal" />
          <TextLine field="latitude" maxLength={20} call={call} inputMode="decimal" />
        </div>
        <FormFooter problem={call.problem} submitLabel={t("common.save")} busy={call.busy} onClose={onClose} />
      </Stack>
    </form>
  );
}

type WithCallForm = { call: CallForm<ClinicValues> };

/** The address of the clinic. The area code of its telephone follows its country. */
function RegionSection({ call: { form, error }, countryFixed }: WithCallForm & { countryFixed: boolean }) {
  const countries = useCall(countryCalls.fetchCountries, {}).data;
  const [country, province, city] = form.watch(["country", "province", "city"]);
  return (
    <RegionFields
      value={{ country, province, city }}
      countryFixed={countryFixed}
      error={error}
      onChange={(place) => {
        for (const field of ["country", "province", "city"] as const)
          form.setValue(field, place[field], { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
        const area = countries?.find(({ code }) => code === place.country)?.phoneCode;
        if (area && place.country !== country) form.setValue("phoneArea", area);
      }}
    />
  );
}

const ContactFields = ({ call }: WithCallForm) => (
  <>
    <TextLine field="leader" maxLength={60} call={call} />
    <TextLine field="phoneArea" maxLength={8} call={call} inputMode="tel" />
    <TextLine field="phone" maxLength={30} call={call} inputMode="tel" />
    <TextLine field="alternateName" maxLength={60} call={call} />
    <TextLine field="alternatePhone" maxLength={30} call={call} inputMode="tel" />
  </>
);

interface TextLineProps extends WithCallForm {
  field: Exclude<keyof ClinicValues, "name" | "country" | "province" | "city" | "setUpAt">;
  maxLength: number;
  inputMode?: "tel" | "decimal";
  isFullWidth?: boolean;
}
function TextLine({ field, maxLength, call: { form, error }, inputMode, isFullWidth }: TextLineProps) {
  const t = useTexts("clinic");
  return (
    <TextInput
      {...(isFullWidth && { className: classes.whole })}
      {...(inputMode && { inputMode })}
      label={t(`clinic.${field}`)}
      autoComplete="off"
      maxLength={maxLength}
      error={error(field)}
      {...form.register(field)}
    />
  );
}
