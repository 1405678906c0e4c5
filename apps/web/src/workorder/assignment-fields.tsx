import { Select } from "@mantine/core";
import { useState } from "react";
import { Controller } from "react-hook-form";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import type { CallForm } from "../data/use-call-form.ts";
import type { WorkorderValues } from "./workorder-form-values.ts";
import classes from "./workorder.module.css";

/** Clinic, device and people. A clinic can choose only its own devices. */
export function AssignmentFields({ call, isClinic }: { call: CallForm<WorkorderValues>; isClinic: boolean }) {
  const t = useTexts("workorder");
  const { form } = call;
  const [search, setSearch] = useState("");
  const [type, clinicId, isNewDevice] = form.watch(["type", "clinicId", "isNewDevice"]);
  const { data } = useCall(
    workorderCalls.choices,
    { search, ...(clinicId && { clinic: clinicId }) },
    { keepPrevious: true },
  );
  const clinics = (data?.clinics ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const people = (data?.people ?? []).map(({ id, name, open }) => ({
    value: id,
    label: `${name} · ${t("workorder.form.open", { count: open })}`,
  }));
  const devices = (data?.devices ?? []).map(({ id, name, product, model, serialNumber }) => ({
    value: id,
    label: [name, product, model, serialNumber].filter(Boolean).join(" · "),
  }));
  const searchClinics = (text: string) => {
    // The box shows the name of the chosen clinic, which is not a search text.
    if (!clinics.some(({ label }) => label === text)) setSearch(text);
  };
  const fillFromClinic = (id: string) => {
    const chosen = data?.clinics.find((one) => one.id === id);
    form.setValue("deviceId", "");
    if (chosen?.contact && !form.getValues("contact")) form.setValue("contact", chosen.contact);
    if (chosen?.phone && !form.getValues("contactPhone")) form.setValue("contactPhone", chosen.phone);
  };
  return (
    <>
      {!isClinic && (
        <OptionSelect
          call={call}
          name="clinicId"

          options={clinics}
          required
          onSearch={searchClinics}
          onChosen={fillFromClinic}
        />
      )}
      {!(isNewDevice && type === "installation") && (
        <OptionSelect call={call} name="deviceId" options={devices} required />
      )}
      {!isClinic && type === "moveMachine" && (
        <OptionSelect call={call} name="toClinicId" options={clinics} onSearch={searchClinics} />
      )}
      {!isClinic && (
        <div className={classes.pair}>
          <OptionSelect call={call} name="assigneeId" options={people} />
          <OptionSelect call={call} name="alternateId" options={people} />
        </div>
      )}
    </>
  );
}

const labelByField = {
  clinicId: "clinic",
  deviceId: "device",
  toClinicId: "toClinic",
  assigneeId: "assignee",
  alternateId: "alternate",
} as const;
interface OptionSelectProps {
  call: CallForm<WorkorderValues>;
  name: keyof typeof labelByField;
  options: { value: string; label: string }[];
  required?: boolean;
  /** If set, the server searches. */
  onSearch?: (text: string) => void;
  onChosen?: (id: string) => void;
}
function OptionSelect({ call, name, options, required = false, onSearch, onChosen }: OptionSelectProps) {
  const t = useTexts("workorder");
  return (
    <Controller
      control={call.form.control}
      name={name}
      render={({ field: { value, onChange } }) => (
        <Select
          label={t(`workorder.field.${labelByField[name]}`)}
          required={required}
          searchable
          clearable={!required}
          clearButtonProps={{ "aria-label": t("common.clear") }}
          data={options}
          value={value || null}
          {...(onSearch && { onSearchChange: onSearch, filter: ({ options: all }) => all })}
          nothingFoundMessage={t(name === "deviceId" ? "workorder.form.noDevices" : "common.state.emptyTitle")}
          onChange={(chosen) => {
            onChange(chosen ?? "");
            onChosen?.(chosen ?? "");
          }}
          error={call.error(name)}
        />
      )}
    />
  );
}
