import { Button, Checkbox, Group, SegmentedControl, Stack, Textarea, TextInput } from "@mantine/core";
import { Controller } from "react-hook-form";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { Workorder } from "@arcada/contract/workorder/workorder.schema";
import { workorderRules, workorderTypes } from "@arcada/contract/workorder/workorder.rules";
import { useTexts } from "../i18n/texts.ts";
import type { NameUnder } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { DraftNotice } from "../ui/form/draft-notice.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import { AssignmentFields } from "./assignment-fields.tsx";
import { toInput, emptyValues } from "./workorder-form-values.ts";
import type { WorkorderValues } from "./workorder-form-values.ts";
import classes from "./workorder.module.css";

interface Props {
  isClinic: boolean;
  clinic: string | undefined;
  device: string | undefined;
  onCreated: (order: Workorder) => void;
}
/** The form for a work order: the task, the device, and the contact there. */
export function WorkorderForm({ isClinic, clinic, device, onCreated }: Props) {
  const t = useTexts("workorder");
  const call = useCallForm<typeof workorderCalls.create, WorkorderValues>(workorderCalls.create, {
    defaults: { ...emptyValues, clinicId: clinic ?? "", deviceId: device ?? "" },
    input: toInput,
    draft: `workorder ${isClinic ? "clinic" : "service"} ${device ?? clinic ?? ""}`,
    onSuccess: (order) => {
      toast("success", t("workorder.form.sent", { number: order.number }));
      onCreated(order);
    },
  });
  const { form, submit, busy, problem, error, isRestored, startOver } = call;
  const [type, isNewDevice] = form.watch(["type", "isNewDevice"]);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {isRestored && <DraftNotice onStartOver={startOver} />}
        <TypeSelect call={call} isClinic={isClinic} />
        <AssignmentFields call={call} isClinic={isClinic} />
        {!isClinic && type === "installation" && (
          <Checkbox label={t("workorder.form.newDevice")} {...form.register("isNewDevice")} />
        )}
        {isNewDevice && type === "installation" && (
          <div className={classes.pair}>
            <Field call={call} name="product" required />
            <Field call={call} name="model" required />
            <Field call={call} name="serialNumber" required />
          </div>
        )}
        {type === "moveMachine" && <Field call={call} name="toAddress" required={isClinic} />}
        <Textarea
          label={t("workorder.field.description")}
          required
          autosize
          minRows={3}
          maxRows={10}
          maxLength={workorderRules.maxTextLength.description}
          {...form.register("description")}
          error={error("description")}
        />
        <div className={classes.pair}>
          <Field call={call} name="contact" required />
          <Field call={call} name="contactPhone" required type="tel" />
          <Field call={call} name="alternateContact" />
          <Field call={call} name="alternatePhone" type="tel" />
        </div>
        {!isClinic && <Field call={call} name="trackingNumber" />}
        <FormError text={problem} />
        <FormError kind="info" text={t("workorder.form.filesLater")} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t("workorder.form.send")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function TypeSelect({ call: { form }, isClinic }: { call: CallForm<WorkorderValues>; isClinic: boolean }) {
  const t = useTexts("workorder");
  return (
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
  );
}

interface FieldProps {
  call: CallForm<WorkorderValues>;
  name: NameUnder<"workorder.field"> & keyof WorkorderValues;
  required?: boolean;
  type?: string;
}
function Field({ call: { form, error }, name, required = false, type = "text" }: FieldProps) {
  const t = useTexts("workorder");
  return (
    <TextInput
      label={t(`workorder.field.${name}`)}
      required={required}
      type={type}
      autoComplete="off"
      {...form.register(name)}
      error={error(name)}
    />
  );
}
