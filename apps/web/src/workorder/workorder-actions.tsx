import { Button, Group, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { Workorder } from "@arcada/contract/workorder/workorder.schema";
import { workorderLifecycle } from "@arcada/contract/workorder/workorder.lifecycle";
import type { WorkorderStep } from "@arcada/contract/workorder/workorder.lifecycle";
import { workorderRules } from "@arcada/contract/workorder/workorder.rules";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { FormError } from "../ui/form/form-error.tsx";

/** The transitions that do not advance the work. */
const secondarySteps: readonly WorkorderStep[] = [
  "void",
  "sendBack",
  "refuseTransfer",
  "close",
  "reopen",
  "handOver",
  "askTransfer",
];

/** Somebody has the work order already, so that giving it to another person is no longer the next step. */
const isReassignment = ({ assignee }: Workorder, action: WorkorderStep): boolean =>
  action === "assign" && assignee !== null;

/** One button for each transition that is open to the reader. */
export function WorkorderActions({ order }: { order: Workorder }) {
  const t = useTexts("workorder");
  const [chosenAction, setChosenAction] = useState<WorkorderStep | null>(null);
  return (
    <Group gap="sm">
      {order.actions.map((action) => (
        <Button
          key={action}
          variant={secondarySteps.includes(action) || isReassignment(order, action) ? "default" : "filled"}
          onClick={() => setChosenAction(action)}
        >
          {t(isReassignment(order, action) ? "workorder.list.reassign" : `workorder.action.${action}`)}
        </Button>
      ))}
      {chosenAction && <TransitionDialog order={order} action={chosenAction} onClose={() => setChosenAction(null)} />}
    </Group>
  );
}

function TransitionDialog({
  order,
  action,
  onClose,
}: {
  order: Workorder;
  action: WorkorderStep;
  onClose: () => void;
}) {
  const t = useTexts("workorder");
  const requiredInputs = workorderLifecycle.steps[action].asks ?? [];
  const [person, setPerson] = useState<string | null>(null);
  const needsPerson = requiredInputs.includes("person");
  const command = useCommand(workorderCalls.step, { shownBy: "form" });
  const confirm = async (reason: string) => {
    const done = await command.run({
      id: order.id,
      version: order.version,
      action,
      ...(reason && { reason }),
      ...(person && { personId: person }),
    });
    if (done) onClose();
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      onConfirm={(reason) => void confirm(reason)}
      title={t(`workorder.action.${action}`)}
      confirm={t(`workorder.action.${action}`)}
      danger={action === "void"}
      busy={command.busy}
      {...(requiredInputs.includes("reason") && {
        reason: { label: t("workorder.field.reason"), required: true, maxLength: workorderRules.maxTextLength.reason },
      })}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {order.number} · {order.clinic.name}
        </Text>
        {action === "handOver" && order.alternate && (
          <Text size="sm">
            {t("workorder.field.alternate")}: {order.alternate.name}
          </Text>
        )}
        {action === "askTransfer" && <Text size="sm">{t("workorder.form.noAlternate")}</Text>}
        {needsPerson && <PersonSelect excludedId={order.assignee?.id} person={person} onChange={setPerson} />}
        <FormError text={command.refused?.message} />
      </Stack>
    </ConfirmDialog>
  );
}

interface PersonSelectProps {
  excludedId: string | undefined;
  person: string | null;
  onChange: (person: string | null) => void;
}
function PersonSelect({ excludedId, person, onChange }: PersonSelectProps) {
  const t = useTexts("workorder");
  const { data } = useCall(workorderCalls.choices, {});
  const people = (data?.people ?? []).filter(({ id }) => id !== excludedId);
  return (
    <Select
      label={t("workorder.field.person")}
      required
      searchable
      openOnFocus={false}
      data-autofocus
      data={people.map(({ id, name, open }) => ({
        value: id,
        label: `${name} · ${t("workorder.form.open", { count: open })}`,
      }))}
      value={person}
      onChange={onChange}
    />
  );
}
