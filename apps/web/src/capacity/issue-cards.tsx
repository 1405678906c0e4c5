import { Modal, NumberInput, SimpleGrid, Stack } from "@mantine/core";
import { Controller } from "react-hook-form";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import type { Input, Output } from "@arcada/contract/kernel/call";
import { addDays } from "@arcada/contract/kernel/time-zone";
import { useTexts } from "../i18n/texts.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { getToday } from "../i18n/time-zone.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { DayFormField } from "../ui/form/day-form-field.tsx";

const maxByField = {
  count: capacityRules.maxCardsPerIssue,
  gigabytes: capacityRules.maxGigabytes,
  analyses: capacityRules.maxAnalyses,
  days: capacityRules.maxDays,
} as const;
const numberFields = ["count", "gigabytes", "analyses", "days"] as const;

const getNextYear = (): string => addDays(getToday(), 365);

type Values = Input<typeof capacityCalls.issue>;

interface Props {
  onClose: () => void;
  onIssued: (issued: Output<typeof capacityCalls.issue>) => void;
}
/** The form for new cards: their number, their value and their lifetime. */
export function IssueCards({ onClose, onIssued }: Props) {
  const t = useTexts("cards", "refusals");
  const { form, submit, busy, error, problem } = useCallForm<typeof capacityCalls.issue, Values>(capacityCalls.issue, {
    defaults: { count: 10, gigabytes: 100, analyses: 200, days: 365, sellBy: getNextYear() },
    onSuccess: onIssued,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("cards.issue.open")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <NumberFields form={form} error={error} />
          <DayFormField form={form} field="sellBy" label={t("cards.issue.sellBy")} required error={error("sellBy")} />
          <FormFooter problem={problem} submitLabel={t("cards.issue.submit")} busy={busy} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}

function NumberFields({ form, error }: Pick<CallForm<Values>, "form" | "error">) {
  const t = useTexts("cards");
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {numberFields.map((name, at) => (
        <Controller
          key={name}
          control={form.control}
          name={name}
          render={({ field: { value, onChange } }) => (
            <NumberInput
              label={t(`cards.issue.${name}`)}
              required
              {...(at === 0 && { "data-autofocus": true })}
              allowDecimal={false}
              allowNegative={false}
              max={maxByField[name]}
              hideControls
              value={value}
              onChange={onChange}
              error={error(name)}
            />
          )}
        />
      ))}
    </SimpleGrid>
  );
}
