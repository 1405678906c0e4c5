import { Button, Group, Modal, NumberInput, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { Controller } from "react-hook-form";
import { capacityCalls } from "@arcada/contract/capacity/capacity.calls";
import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import type { Input, Output } from "@arcada/contract/kernel/call";
import { operatorCalls } from "@arcada/contract/operator/operator.calls";
import { toast } from "../browser/toast.ts";
import { notifyCommandSuccess } from "../data/command-success-and-ended-records.ts";
import { useCall } from "../data/use-call.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { useTexts } from "../i18n/texts.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { FormError } from "../ui/form/form-error.tsx";

interface Props {
  organisation: { id: string; name: string; type: "clinic" | "lab" };
}

/** Opens the dialog in which an operator changes the free base of a clinic or a laboratory. */
export function QuotaButton({ organisation }: Props) {
  const t = useTexts("operator");
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)} style={{ alignSelf: "start" }}>
        {t("operator.organisations.quota.change")}
      </Button>
      {isOpen && <QuotaDialog organisation={organisation} onClose={() => setOpen(false)} />}
    </>
  );
}

function QuotaDialog({ organisation, onClose }: Props & { onClose: () => void }) {
  const t = useTexts("operator");
  const query = useCall(capacityCalls.quota, { id: organisation.id });
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${t("operator.organisations.quota.change")}: ${organisation.name}`}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <QueryResult of={query}>
        {(quota) => <QuotaForm organisation={organisation} quota={quota} onClose={onClose} />}
      </QueryResult>
    </Modal>
  );
}

type Values = Input<typeof capacityCalls.setQuota>;
const limits = { gigabytes: capacityRules.maxGigabytes, analyses: capacityRules.maxAnalyses } as const;

function QuotaForm({
  organisation: { id, type },
  quota,
  onClose,
}: Props & { quota: Output<typeof capacityCalls.quota>; onClose: () => void }) {
  const t = useTexts("operator");
  const { form, submit, busy, problem, error } = useCallForm<typeof capacityCalls.setQuota, Values>(
    capacityCalls.setQuota,
    {
      defaults: { id, ...quota },
      onSuccess: () => {
        // The call belongs to the capacity slice, but the operator's slice provides the data of the drawer.
        notifyCommandSuccess(operatorCalls.organisation);
        toast("success", t("operator.organisations.quota.changed"));
        onClose();
      },
    },
  );
  // A laboratory analyses no images.
  const fields = type === "clinic" ? (["gigabytes", "analyses"] as const) : (["gigabytes"] as const);
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm">{t("operator.organisations.quota.text")}</Text>
        {fields.map((name) => (
          <Controller
            key={name}
            control={form.control}
            name={name}
            render={({ field }) => (
              <NumberInput
                label={t(`operator.organisations.quota.${name}`)}
                min={0}
                max={limits[name]}
                allowDecimal={false}
                {...field}
                error={error(name)}
              />
            )}
          />
        ))}
        <FormError text={problem} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} disabled={busy}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={busy}>
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
