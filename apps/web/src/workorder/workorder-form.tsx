import { Button, Checkbox, Group, SegmentedControl, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { Controller } from "react-hook-form";
import type { Input } from "@arcada/contract/kernel/call";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { Workorder } from "@arcada/contract/workorder/workorder.calls";
import { workorderRules, workorderTypes } from "@arcada/contract/workorder/workorder.rules";
import type { WorkorderType } from "@arcada/contract/workorder/workorder.rules";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCall } from "../kernel/use-call.ts";
import { useCallForm } from "../kernel/use-form.ts";
import type { CallForm } from "../kernel/use-form.ts";
import { DraftFound } from "../ui/draft-found.tsx";
import { FormProblem } from "../ui/form-problem.tsx";
import classes from "./workorder.module.css";

interface Props {
  isClinic: boolean;
  clinic: string | undefined;
  device: string | undefined;
  onMade: (order: Workorder) => void;
}
interface Values {
  type: WorkorderType;
  clinicId: string;
  deviceId: string;
  isNewDevice: boolean;
  product: string;
  model: string;
  serialNumber: string;
  description: string;
  contact: string;
  contactPhone: string;
  alternateContact: string;
  alternatePhone: string;
  trackingNumber: string;
  toClinicId: string;
  toAddress: string;
  assigneeId: string;
  alternateId: string;
}
const nothing: Values = {
  type: "repair",
  clinicId: "",
  deviceId: "",
  isNewDevice: false,
  product: "",
  model: "",
  serialNumber: "",
  description: "",
  contact: "",
  contactPhone: "",
  alternateContact: "",
  alternatePhone: "",
  trackingNumber: "",
  toClinicId: "",
  toAddress: "",
  assigneeId: "",
  alternateId: "",
};

/** Without what was not filled in, or belongs to another type. */
function inputOf({ type, isNewDevice, ...values }: Values): Input<typeof workorderCalls.create> {
  const unused: readonly (keyof Values)[] = [
    ...(isNewDevice && type === "installation"
      ? (["deviceId"] as const)
      : (["product", "model", "serialNumber"] as const)),
    ...(type === "moveMachine" ? [] : (["toClinicId", "toAddress"] as const)),
  ];
  const kept = Object.entries(values).filter(([name, value]) => value !== "" && !unused.includes(name as keyof Values));
  const needed = { description: values.description, contact: values.contact, contactPhone: values.contactPhone };
  return { ...needed, ...Object.fromEntries(kept), type };
}

type Form = CallForm<Values>;

/** Says what is to be done at which device, and whom to call there. */
export function WorkorderForm({ isClinic, clinic, device, onMade }: Props) {
  const t = useTexts("workorder");
  const call = useCallForm<typeof workorderCalls.create, Values>(workorderCalls.create, {
    defaults: { ...nothing, clinicId: clinic ?? "", deviceId: device ?? "" },
    input: inputOf,
    draft: `workorder ${isClinic ? "clinic" : "service"} ${device ?? clinic ?? ""}`,
    done: (order) => {
      toast("success", t("workorder.form.sent", { number: order.number }));
      onMade(order);
    },
  });
  const { form, submit, busy, problem, error, isRestored, startOver } = call;
  const [type, isNewDevice] = form.watch(["type", "isNewDevice"]);
  const field = (name: keyof Values, label: string, required = false, type = "text") => (
    <TextInput
      label={t(`workorder.field.${label}`)}
      required={required}
      type={type}
      autoComplete="off"
      {...form.register(name)}
      error={error(name)}
    />
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {isRestored && <DraftFound onStartOver={startOver} />}
        <Controller
          control={form.control}
          name="type"
          render={({ field: { value, onChange } }) => (
            <SegmentedControl
              aria-label={t("workorder.field.type")}
              fullWidth
              data={workorderTypes
                .filter((one) => !isClinic || one !== "installation")
                .map((one) => ({ value: one, label: t(`workorder.type.${one}`) }))}
              value={value}
              onChange={onChange}
            />
          )}
        />
        <Places call={call} isClinic={isClinic} />
        {!isClinic && type === "installation" && (
          <Checkbox label={t("workorder.form.newDevice")} {...form.register("isNewDevice")} />
        )}
        {isNewDevice && type === "installation" && (
          <div className={classes.pair}>
            {field("product", "product", true)}
            {field("model", "model", true)}
            {field("serialNumber", "serialNumber", true)}
          </div>
        )}
        {type === "moveMachine" && field("toAddress", "toAddress", isClinic)}
        <Textarea
          label={t("workorder.field.description")}
          required
          autosize
          minRows={3}
          maxRows={10}
          maxLength={workorderRules.textMost.description}
          {...form.register("description")}
          error={error("description")}
        />
        <div className={classes.pair}>
          {field("contact", "contact", true)}
          {field("contactPhone", "contactPhone", true, "tel")}
          {field("alternateContact", "alternateContact")}
          {field("alternatePhone", "alternatePhone", false, "tel")}
        </div>
        {!isClinic && field("trackingNumber", "trackingNumber")}
        <FormProblem text={problem} />
        <FormProblem kind="info" text={t("workorder.form.filesLater")} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t("workorder.form.send")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Clinic, device and people; a clinic chooses among its own devices alone. */
function Places({ call: { form, error }, isClinic }: { call: Form; isClinic: boolean }) {
  const t = useTexts("workorder");
  const [search, setSearch] = useState("");
  const [type, clinicId, isNewDevice] = form.watch(["type", "clinicId", "isNewDevice"]);
  const { data } = useCall(workorderCalls.choices, { search, ...(clinicId && { clinic: clinicId }) }, { keep: true });
  const clinics = (data?.clinics ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const people = (data?.people ?? []).map(({ id, name, open }) => ({
    value: id,
    label: `${name} · ${t("workorder.form.open", { count: open })}`,
  }));
  const devices = (data?.devices ?? []).map(({ id, name, product, model, serialNumber }) => ({
    value: id,
    label: [name, product, model, serialNumber].filter(Boolean).join(" · "),
  }));
  const select = (
    name: "clinicId" | "deviceId" | "toClinicId" | "assigneeId" | "alternateId",
    label: string,
    options: { value: string; label: string }[],
    more: { required?: boolean; onSearch?: (text: string) => void; chosen?: (id: string) => void } = {},
  ) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field: { value, onChange } }) => (
        <Select
          label={t(`workorder.field.${label}`)}
          required={more.required ?? false}
          searchable
          clearable={!more.required}
          clearButtonProps={{ "aria-label": t("common.clear") }}
          data={options}
          value={value || null}
          {...(more.onSearch && { onSearchChange: more.onSearch, filter: ({ options: all }) => all })}
          nothingFoundMessage={name === "deviceId" ? t("workorder.form.noDevices") : t("common.state.emptyTitle")}
          onChange={(chosen) => {
            onChange(chosen ?? "");
            more.chosen?.(chosen ?? "");
          }}
          error={error(name)}
        />
      )}
    />
  );
  const found = (text: string) => {
    // What was chosen stands in the box as its name, which is no search.
    if (!clinics.some(({ label }) => label === text)) setSearch(text);
  };
  const fill = (id: string) => {
    const chosen = data?.clinics.find((one) => one.id === id);
    form.setValue("deviceId", "");
    if (chosen?.contact && !form.getValues("contact")) form.setValue("contact", chosen.contact);
    if (chosen?.phone && !form.getValues("contactPhone")) form.setValue("contactPhone", chosen.phone);
  };
  return (
    <>
      {!isClinic && select("clinicId", "clinic", clinics, { required: true, onSearch: found, chosen: fill })}
      {!(isNewDevice && type === "installation") && select("deviceId", "device", devices, { required: true })}
      {!isClinic && type === "moveMachine" && select("toClinicId", "toClinic", clinics, { onSearch: found })}
      {!isClinic && (
        <div className={classes.pair}>
          {select("assigneeId", "assignee", people)}
          {select("alternateId", "alternate", people)}
        </div>
      )}
    </>
  );
}
