import { Button, Group, Input, SegmentedControl, Stack, TextInput } from "@mantine/core";
import { Controller } from "react-hook-form";
import type { LaunchedPerson } from "@arcada/contract/patient/launch-address";
import { toRecordName } from "@arcada/contract/patient/launch-address";
import { sexes } from "@arcada/contract/patient/patient-field-definition";
import { patientFields } from "@arcada/contract/patient/patient-fields";
import { practiceCalls } from "@arcada/contract/patient/practice.calls";
import { useOpenScreen } from "../browser/navigation.tsx";
import type { RefusalError } from "../data/call-errors.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { formatList } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { getToday } from "../i18n/time-zone.ts";
import { DayFormField } from "../ui/form/day-form-field.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import { forgetPendingLaunch } from "./pending-launch.ts";

interface Values {
  number: string;
  name: string;
  sex: LaunchedPerson["sex"];
  birthDate: string;
  evenIfDuplicate: boolean;
}

/** The one confirmation before a record is created: the data that the other program sent, to be checked and completed. */
export function CreateLaunchedPatient({ person, onCancel }: { person: LaunchedPerson; onCancel: (() => void) | null }) {
  const t = useTexts("launch", "patient");
  const open = useOpenScreen();
  const call = useCallForm<typeof practiceCalls.create, Values>(practiceCalls.create, {
    defaults: {
      number: person.number,
      name: toRecordName(person.name),
      sex: person.sex,
      birthDate: person.birthDate ?? "",
      evenIfDuplicate: false,
    },
    input: ({ sex, ...values }) => ({ ...values, sex: sex! }),
    onSuccess: ({ id }) => {
      forgetPendingLaunch();
      open("patientDetail", { id }, { replace: true });
    },
    onRefused: () => call.form.setValue("evenIfDuplicate", false),
  });
  const { form, refused } = call;
  const createAnyway = () => {
    form.setValue("evenIfDuplicate", true);
    void call.submit();
  };
  return (
    <form noValidate onSubmit={call.submit}>
      <Stack gap="md">
        <PersonFields call={call} number={person.number} />
        {refused?.name === "patientDuplicate" && (
          <FormError text={t("launch.create.duplicate", { number: listNumbers(refused) })} />
        )}
        <FormError text={refused?.name === "patientDuplicate" ? undefined : call.problem} />
        <Group>
          {refused?.name === "patientDuplicate" ? (
            <Button loading={call.busy} onClick={createAnyway}>
              {t("launch.create.anyway")}
            </Button>
          ) : (
            <Button type="submit" loading={call.busy}>
              {t("launch.create.submit")}
            </Button>
          )}
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t("common.cancel")}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** The records that may be of the same person. */
const listNumbers = ({ details }: RefusalError): string =>
  formatList((details as { candidates: { number: string }[] }).candidates.map(({ number }) => number));

function PersonFields({ call: { form, error }, number }: { call: CallForm<Values>; number: string }) {
  const t = useTexts("launch", "patient");
  return (
    <>
      <TextInput label={t("launch.number")} readOnly value={number} />
      <TextInput
        label={t("patient.field.name")}
        withAsterisk
        autoComplete="off"
        maxLength={patientFields.name.maxLength}
        error={error("name")}
        {...form.register("name")}
      />
      <SexField form={form} error={error("sex")} />
      <DayFormField
        form={form}
        field="birthDate"
        isLongAgo
        withAsterisk
        label={t("patient.field.birthDate")}
        max={getToday()}
        error={error("birthDate")}
      />
    </>
  );
}

function SexField({ form, error }: { form: CallForm<Values>["form"]; error: string | undefined }) {
  const t = useTexts("patient");
  return (
    <Controller
      control={form.control}
      name="sex"
      render={({ field }) => (
        <Input.Wrapper label={t("patient.field.sex")} labelElement="div" withAsterisk error={error}>
          <SegmentedControl
            fullWidth
            aria-label={t("patient.field.sex")}
            data={sexes.map((sex) => ({ value: sex, label: t(`common.sex.${sex}`) }))}
            value={field.value ?? ""}
            onChange={field.onChange}
          />
        </Input.Wrapper>
      )}
    />
  );
}
