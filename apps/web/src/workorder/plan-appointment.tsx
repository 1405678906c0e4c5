import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { IconCalendarDown, IconCalendarEvent } from "@tabler/icons-react";
import { useState } from "react";
import { workorderCalls } from "@arcada/contract/workorder/workorder.calls";
import type { Workorder } from "@arcada/contract/workorder/workorder.schema";
import { ask } from "../data/ask.ts";
import { useCommand } from "../data/use-command.ts";
import { formatDateTime } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { getToday, parseWallTime, toWallTime } from "../i18n/time-zone.ts";
import { DayField } from "../ui/form/day-field.tsx";
import { FormError } from "../ui/form/form-error.tsx";

/** Plans the day and time at which somebody comes to the clinic. */
export function PlanButton({ order }: { order: Workorder }) {
  const t = useTexts("workorder");
  const [isOpen, open] = useState(false);
  const title = t(order.plannedAt ? "workorder.plan.change" : "workorder.plan.open");
  return (
    <>
      <Button variant="default" leftSection={<IconCalendarEvent size={16} aria-hidden />} onClick={() => open(true)}>
        {title}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => open(false)}
        title={title}
        closeButtonProps={{ "aria-label": t("common.close") }}
      >
        <PlanForm order={order} onDone={() => open(false)} />
      </Modal>
    </>
  );
}

function PlanForm({ order, onDone }: { order: Workorder; onDone: () => void }) {
  const t = useTexts("workorder");
  const [at, setAt] = useState(order.plannedAt ? toWallTime(order.plannedAt) : "");
  const command = useCommand(workorderCalls.plan, { shownBy: "form" });
  const save = async (plannedAt: string | null) => {
    if (await command.run({ id: order.id, version: order.version, plannedAt })) onDone();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (at !== "") void save(parseWallTime(at));
      }}
    >
      <Stack gap="md">
        <DayField
          withTime
          data-autofocus
          label={t("workorder.field.plannedAt")}
          description={t("workorder.plan.says")}
          min={getToday()}
          value={at}
          onChange={setAt}
        />
        <FormError text={command.refused?.message} />
        <Group justify="flex-end">
          {order.plannedAt && (
            <Button variant="default" disabled={command.busy} onClick={() => void save(null)}>
              {t("workorder.plan.remove")}
            </Button>
          )}
          <Button type="submit" disabled={at === ""} loading={command.busy}>
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The appointment of a work order that is not done yet, and its file for a calendar. */
export function PlannedAppointment({ order: { id, plannedAt } }: { order: Workorder }) {
  const t = useTexts("workorder");
  const [isBusy, setBusy] = useState(false);
  if (!plannedAt) return null;
  const save = async () => {
    setBusy(true);
    try {
      const { name, text } = await ask(workorderCalls.calendar, { id });
      const url = URL.createObjectURL(new Blob([text], { type: "text/calendar" }));
      Object.assign(document.createElement("a"), { href: url, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Group gap="sm">
      <Text fw={600}>
        <Text span c="dimmed" fw={400} me="xs">
          {t("workorder.field.plannedAt")}
        </Text>
        <bdi className="arcada-figures">{formatDateTime(plannedAt)}</bdi>
      </Text>
      <Button
        variant="subtle"
        size="compact-sm"
        loading={isBusy}
        leftSection={<IconCalendarDown size={16} aria-hidden />}
        onClick={() => void save().catch(() => {})}
      >
        {t("workorder.plan.calendar")}
      </Button>
    </Group>
  );
}
