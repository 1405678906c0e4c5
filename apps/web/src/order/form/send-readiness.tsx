import { Button, Group, List, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { dentistRoles } from "@arcada/contract/kernel/roles";
import { orderCalls } from "@arcada/contract/order/order.calls";
import { useOpenScreen } from "../../browser/navigation.tsx";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Section } from "../../ui/page.tsx";
import { PrintPrescription } from "../prescription/print-prescription.tsx";
import type { DraftForm } from "./use-draft.ts";
import type { OrderCheck } from "./use-order-check.ts";
import classes from "./order-form.module.css";

interface SendReadinessProps {
  form: DraftForm;
  check: OrderCheck;
  uploading: boolean;
  onSend: () => Promise<void>;
}

/** The missing fields, the save state of the draft, and the button that sends. */
export function SendReadiness({ form, check, uploading, onSend }: SendReadinessProps) {
  const t = useTexts("order");
  const maySend = useCanAccess({ access: dentistRoles });
  const [sending, setSending] = useState(false);
  const press = async () => {
    setSending(true);
    await onSend();
    setSending(false);
  };
  return (
    <Section>
      <Stack gap="md">
        <MissingFields check={check} />
        <div className={classes.send}>
          {maySend ? (
            <Button
              fullWidth
              size="md"
              leftSection={<IconSend size={18} aria-hidden />}
              loading={sending}
              disabled={uploading || form.saving === "conflict"}
              onClick={() => void press()}
            >
              {t("order.form.send")}
            </Button>
          ) : (
            <Text size="sm">{t("order.form.sendByDentist")}</Text>
          )}
          {uploading && (
            <Text size="xs" c="dimmed" mt={6} ta="center">
              {t("order.ask.uploading")}
            </Text>
          )}
        </div>
        <SaveState form={form} />
        {form.saved && (
          <PrintPrescription
            id={form.saved.id}
            beforePrint={() => form.saver.save()}
            disabled={form.saving === "conflict"}
          />
        )}
      </Stack>
    </Section>
  );
}

function MissingFields({ check }: { check: OrderCheck }) {
  const t = useTexts("order");
  return (
    <Stack gap="sm" aria-live="polite">
      {check.missing.length === 0 ? (
        <Group gap={8} wrap="nowrap" className={classes.complete}>
          <IconCircleCheck size={20} stroke={1.7} aria-hidden />
          <Text size="sm" fw={600}>
            {t("order.form.complete")}
          </Text>
        </Group>
      ) : (
        <div>
          <Text size="sm" fw={600} mb={6}>
            {t("order.form.needed")}
          </Text>
          <List size="sm" spacing={5} icon={<IconCircleDashed size={16} className={classes.needIcon} aria-hidden />}>
            {check.missing.map((name) => (
              <List.Item key={name}>{t(`order.missing.${name}`)}</List.Item>
            ))}
          </List>
        </div>
      )}
      {check.advice.length > 0 && (
        <List
          size="sm"
          spacing={5}
          c="dimmed"
          icon={<IconAlertTriangle size={16} className={classes.advice} aria-hidden />}
        >
          {check.advice.map((name) => (
            <List.Item key={name}>{t(`order.advice.${name}`)}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

function SaveState({ form }: { form: DraftForm }) {
  const t = useTexts("order");
  const { saving, draft, problems } = form;
  const textKey = saving === "waiting" && draft.patientId === "" ? "choosePatient" : saving;
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text
          size="xs"
          c={saving === "away" || saving === "refused" ? "var(--mantine-color-error)" : "dimmed"}
          role="status"
        >
          {textKey === "notDraft" ? "" : t(`order.saving.${textKey}`)}
        </Text>
        <Group gap={4}>
          <Button
            size="compact-sm"
            variant="subtle"
            disabled={draft.patientId === "" || !["waiting", "away", "refused"].includes(saving)}
            onClick={() => void form.saver.save()}
          >
            {t("order.form.save")}
          </Button>
          {form.saved && <RemoveDraft form={form} />}
        </Group>
      </Group>
      {problems[""] && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert" mt={4}>
          {problems[""]}
        </Text>
      )}
    </div>
  );
}

function RemoveDraft({ form }: { form: DraftForm }) {
  const t = useTexts("order");
  const go = useOpenScreen();
  const step = useCommand(orderCalls.step);
  const [isConfirming, setConfirming] = useState(false);
  const remove = async () => {
    if (!form.saved) return;
    form.saver.forget();
    const removed = await step.run({ id: form.saved.id, action: "delete", version: form.saved.version });
    if (!removed) return setConfirming(false);
    toast("success", t("order.form.removed"));
    go("orderList", {}, { replace: true });
  };
  return (
    <>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => setConfirming(true)}>
        {t("order.form.remove")}
      </Button>
      <ConfirmDialog
        opened={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={() => void remove()}
        title={t("order.form.remove")}
        text={t("order.form.removeText")}
        confirm={t("common.delete")}
        danger
        busy={step.busy}
      />
    </>
  );
}
