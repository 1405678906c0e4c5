import { Alert, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { forwardCalls } from "@arcada/contract/order/forwarding.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import { useCommand } from "../../data/use-command.ts";
import { getToday } from "../../i18n/time-zone.ts";
import { FileDrop } from "../../ui/upload/file-drop.tsx";
import { AttachedFiles } from "../core/attached-files.tsx";
import type { AttachedFile } from "../core/attached-files.tsx";
import { CaseSection, NotesSection } from "../form/case-section.tsx";
import { toDraft, hasItems, toSaveInput, findMissing, guessRole } from "../form/order-draft.ts";
import type { Draft, DraftGap } from "../form/order-draft.ts";
import { ItemsSection } from "../form/items-section.tsx";
import type { ActionDialogProps } from "./action-dialog.tsx";
import { DialogFooter } from "./dialog-footer.tsx";
import { handleStaleOrder, cacheOrder, useOrderTransition } from "./use-order-transition.ts";
import { DayField } from "../../ui/form/day-field.tsx";
import type { FormSectionProps } from "../form/form-section-props.ts";

/**
 * The prescription in the form's own sections: as a change proposal of the sender, or as the draft with which a lab
 * forwards an order.
 */
export function PrescriptionDialog({ order, action, onClose }: ActionDialogProps) {
  const t = useTexts("order", "forward");
  const prescriptionForm = usePrescriptionDraft(order);
  const editsDraft = action === "edit";
  const propose = useOrderTransition(order, "proposeChange", onClose);
  const child = useSaveChild(order, onClose);
  const [reason, setReason] = useState("");
  const [added, setAdded] = useState<AttachedFile[]>([]);
  const [uploading, setUploading] = useState(false);
  const { busy, problem } = editsDraft ? child : propose;
  const press = () => {
    if (!prescriptionForm.check(added)) return;
    const files = added.map(({ upload, role }) => ({ upload, role }));
    if (editsDraft) void child.save(prescriptionForm.input());
    else
      void propose.run({
        prescription: prescriptionForm.input(),
        files,
        ...(reason.trim() && { reason: reason.trim() }),
      });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t(editsDraft ? "forward.childTitle" : "order.action.proposeChange")}
      closeButtonProps={{ "aria-label": t("common.close") }}
      // Typed input is discarded only by a button that says so.
      closeOnClickOutside={false}
      closeOnEscape={!prescriptionForm.touched}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t(editsDraft ? "forward.childSays" : "order.consequence.proposeChange")}
        </Text>
        {!order.actions.includes(action) && <Alert color="orange">{t("order.ask.gone")}</Alert>}
        <PrescriptionSections {...prescriptionForm.part} />
        {!editsDraft && (
          <ReasonAndFiles reason={reason} onReason={setReason} files={added} onFiles={setAdded} onBusy={setUploading} />
        )}
        <DialogFooter
          confirmLabel={t(editsDraft ? "common.save" : "order.action.proposeChange")}
          busy={busy}
          disabled={uploading || !order.actions.includes(action)}
          problem={problem}
          onCancel={onClose}
          onConfirm={press}
        />
      </Stack>
    </Modal>
  );
}

function PrescriptionSections(part: FormSectionProps) {
  const t = useTexts("order");
  return (
    <>
      <CaseSection {...part} />
      {hasItems(part.draft.caseType) && <ItemsSection {...part} />}
      <NotesSection {...part} />
      <DayField
        label={t("order.form.dueDate")}
        min={getToday()}
        value={part.draft.dueDate ?? ""}
        onChange={(day) => part.change({ dueDate: day || null })}
        error={part.error("dueDate")}
      />
    </>
  );
}

interface ReasonAndFilesProps {
  reason: string;
  onReason: (reason: string) => void;
  files: AttachedFile[];
  onFiles: (files: AttachedFile[]) => void;
  onBusy: (busy: boolean) => void;
}
const selectableRoles = ["answer", "upperScan", "lowerScan", "bite", "image", "photo", "document"] as const;
/** The reason and the files that go to the lab with a proposal, in addition to the prescription. */
function ReasonAndFiles({ reason, onReason, files, onFiles, onBusy }: ReasonAndFilesProps) {
  const t = useTexts("order", "forward");
  return (
    <>
      <Textarea
        label={t("order.ask.reason")}
        autosize
        minRows={2}
        maxLength={2000}
        value={reason}
        onChange={(event) => onReason(event.currentTarget.value)}
      />
      <Stack gap="xs">
        <Text size="sm" fw={500}>
          {t("forward.newFiles")}
        </Text>
        <FileDrop
          onBusy={onBusy}
          onFinished={(more) =>
            onFiles([...files, ...more.map(({ id, name }) => ({ upload: id, name, role: guessRole(name) }))])
          }
        />
        <AttachedFiles files={files} roles={selectableRoles} onChange={onFiles} />
      </Stack>
    </>
  );
}

/** The edited prescription, and its missing fields after the first attempt. */
function usePrescriptionDraft(order: Order) {
  const t = useTexts("order");
  const [draft, setDraft] = useState<Draft>(() => toDraft(order));
  const [isDirty, setDirty] = useState(false);
  const [missing, setMissing] = useState<readonly DraftGap[]>([]);
  const change = (part: Partial<Draft>) => {
    setDirty(true);
    setDraft((now) => ({ ...now, ...part }));
  };
  const check = (added: readonly AttachedFile[]): boolean => {
    // The patient and the lab are set elsewhere, so they cannot be missing here.
    const whole = { ...draft, patientId: order.id, targetIid: order.receiver?.iid ?? order.id };
    const missingFields = findMissing(whole, [...order.files, ...added]);
    setMissing(missingFields);
    return missingFields.length === 0;
  };
  const error = (...names: string[]): string | undefined => {
    const missingField = names.map((name) => missing.find((one) => one === name)).find(Boolean);
    return missingField && t(`order.missing.${missingField}`);
  };
  return {
    part: { draft, change, error } satisfies FormSectionProps,
    touched: isDirty,
    check,
    input: () => toSaveInput(draft, null),
  };
}

function useSaveChild(order: Order, onDone: () => void) {
  const t = useTexts("order");
  const command = useCommand(forwardCalls.saveChild, { shownBy: "form" });
  const save = async (prescription: ReturnType<typeof toSaveInput>) => {
    const outcome = await command.run({ id: order.id, version: order.version, prescription }, handleStaleOrder);
    if (!outcome) return;
    toast("success", t("order.saving.done"));
    cacheOrder(outcome.data);
    onDone();
  };
  return { save, busy: command.busy, problem: command.refused?.show === "form" ? command.refused.msg : undefined };
}
