import { Drawer, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { clinicCalls } from "@arcada/contract/clinic/clinic.calls";
import type { ClinicDetail } from "@arcada/contract/clinic/clinic.calls";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCall } from "../kernel/use-call.ts";
import { useCallForm } from "../kernel/use-form.ts";
import type { CallForm } from "../kernel/use-form.ts";
import { DraftFound } from "../ui/draft-found.tsx";
import { FormFoot } from "../ui/form-foot.tsx";
import { inputOf, valuesOf } from "./clinic-values.ts";
import type { ClinicValues } from "./clinic-values.ts";
import classes from "./clinic.module.css";
import { PlaceFields } from "./place-fields.tsx";
import { DayFormField } from "../kernel/day-field.tsx";

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
  const [seen] = useState(clinic);
  const call = useCallForm<typeof clinicCalls.create | typeof clinicCalls.update, ClinicValues>(
    seen ? clinicCalls.update : clinicCalls.create,
    {
      defaults: valuesOf(seen),
      draft: seen ? `clinic.${seen.id}.${seen.version}` : "clinic.new",
      input: (values) => (seen ? { ...inputOf(values), id: seen.id, version: seen.version } : inputOf(values)),
      done: onSaved,
    },
  );
  return (
    <form onSubmit={(event) => void call.submit(event)} noValidate>
      <Stack gap="md">
        {call.isRestored && <DraftFound onStartOver={call.startOver} />}
        <div className={classes.form}>
          <TextInput
            className={classes.whole}
            label={t("clinic.name")}
            {...(seen?.institutionId && { description: t("clinic.nameOwn"), disabled: true })}
            required
            data-autofocus
            maxLength={120}
            error={call.error("name")}
            {...call.form.register("name")}
          />
          <Where call={call} countryFixed={Boolean(seen?.institutionId)} />
          <Line field="address" most={200} call={call} isWhole />
          <Contacts call={call} />
          <DayFormField form={call.form} field="setUpAt" label={t("clinic.setUp")} error={call.error("setUpAt")} />
          <Line field="longitude" most={20} call={call} inputMode="decimal" />
          <Line field="latitude" most={20} call={call} inputMode="decimal" />
        </div>
        <FormFoot problem={call.problem} send={t("common.save")} busy={call.busy} onClose={onClose} />
      </Stack>
    </form>
  );
}

type Called = { call: CallForm<ClinicValues> };

/** The address of the clinic. The area code of its telephone follows its country. */
function Where({ call: { form, error }, countryFixed }: Called & { countryFixed: boolean }) {
  const countries = useCall(accountCalls.fetchCountries, {}).data;
  const [country, province, city] = form.watch(["country", "province", "city"]);
  return (
    <PlaceFields
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

const Contacts = ({ call }: Called) => (
  <>
    <Line field="leader" most={60} call={call} />
    <Line field="phoneArea" most={8} call={call} inputMode="tel" />
    <Line field="phone" most={30} call={call} inputMode="tel" />
    <Line field="alternateName" most={60} call={call} />
    <Line field="alternatePhone" most={30} call={call} inputMode="tel" />
  </>
);

interface LineProps extends Called {
  field: Exclude<keyof ClinicValues, "name" | "country" | "province" | "city" | "setUpAt">;
  most: number;
  inputMode?: "tel" | "decimal";
  isWhole?: boolean;
}
function Line({ field, most, call: { form, error }, inputMode, isWhole }: LineProps) {
  const t = useTexts("clinic");
  return (
    <TextInput
      {...(isWhole && { className: classes.whole })}
      {...(inputMode && { inputMode })}
      label={t(`clinic.${field}`)}
      autoComplete="off"
      maxLength={most}
      error={error(field)}
      {...form.register(field)}
    />
  );
}
