import { ActionIcon, Button, Group, NumberInput, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { Controller, useFieldArray } from "react-hook-form";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { Workorder, WorkorderPart } from "@arcada/contract/workorder/workorder.schema";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import { queryKeyOf, queryClient } from "../data/query-client.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { DraftNotice } from "../ui/form/draft-notice.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import classes from "./workorder.module.css";

interface Values {
  serialNumber: string;
  description: string;
  parts: WorkorderPart[];
}

/** The assignee's record of the finished work. Unsaved input also survives a reload. */
export function FinishForm({ order }: { order: Workorder }) {
  const t = useTexts("workorder");
  const { id, version, finish, device } = order;
  const call = useCallForm<typeof workorderCalls.saveFinish, Values>(workorderCalls.saveFinish, {
    defaults: finish ?? { serialNumber: "", description: "", parts: [] },
    input: (values) => ({ ...values, id, version }),
    draft: `workorder finish ${id}`,
    onSuccess: (saved) => {
      // If it is handed in immediately, the request must contain the version that was just saved.
      queryClient.setQueryData(queryKeyOf(workorderCalls.detail, { id }), saved);
      toast("success", t("workorder.finish.saved"));
    },
  });
  const { form, submit, busy, problem, error, isRestored, startOver } = call;
  const typedSerial = form.watch("serialNumber");
  const isMismatch = typedSerial !== "" && typedSerial.trim().toLowerCase() !== device.serialNumber.toLowerCase();
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {isRestored && <DraftNotice onStartOver={startOver} />}
        <TextInput
          label={t("workorder.finish.serialNumber")}
          withAsterisk
          autoComplete="off"
          {...form.register("serialNumber")}
          error={error("serialNumber") ?? (isMismatch && t("workorder.finish.serialWrong"))}
        />
        <Textarea
          label={t("workorder.finish.description")}
          withAsterisk
          autosize
          minRows={3}
          maxRows={10}
          maxLength={workorderRules.maxTextLength.description}
          {...form.register("description")}
          error={error("description")}
        />
        <PartFields call={call} />
        <FormError text={problem} />
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t("workorder.finish.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function PartFields({ call: { form, error } }: { call: CallForm<Values> }) {
  const t = useTexts("workorder");
  const parts = useFieldArray({ control: form.control, name: "parts" });
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t("workorder.finish.parts")}
      </Text>
      {parts.fields.map((field, at) => (
        <div key={field.id} className={classes.part}>
          <TextInput
            label={t("workorder.part.name")}
            {...form.register(`parts.${at}.name`)}
            error={error(`parts.${at}.name`)}
          />
          <TextInput label={t("workorder.part.number")} {...form.register(`parts.${at}.number`)} />
          <Controller
            control={form.control}
            name={`parts.${at}.quantity`}
            render={({ field: { value, onChange } }) => (
              <NumberInput
                label={t("workorder.part.quantity")}
                min={1}
                max={999}
                value={value}
                onChange={(next) => onChange(Number(next) || 1)}
              />
            )}
          />
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t("workorder.finish.removePart", { name: field.name })}
            onClick={() => parts.remove(at)}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => parts.append({ name: "", number: "", quantity: 1 })}
        >
          {t("workorder.finish.addPart")}
        </Button>
      </Group>
    </Stack>
  );
}

/** The same record, read-only. */
export function FinishFacts({ finish }: { finish: NonNullable<Workorder["finish"]> }) {
  const t = useTexts("workorder");
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t("workorder.field.serialNumber")}: {finish.serialNumber}
      </Text>
      <Text size="sm" className={classes.said} dir="auto">
        {finish.description}
      </Text>
      {finish.parts.map((part) => (
        <Text key={`${part.name} ${part.number}`} size="sm">
          {[part.name, part.number, part.quantity].filter(Boolean).join(" · ")}
        </Text>
      ))}
    </Stack>
  );
}
