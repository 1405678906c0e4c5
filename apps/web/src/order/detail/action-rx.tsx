import { Alert, Modal, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { forwardCalls } from "@arcada/contract/order/forward.calls";
import type { Order } from "@arcada/contract/order/order.calls";
import { useTexts } from "../../kernel/texts.ts";
import { toast } from "../../kernel/toast.ts";
import { useCommand } from "../../kernel/use-command.ts";
import { today } from "../../kernel/zone.ts";
import { FileDrop } from "../../ui/file-drop.tsx";
import { AddedFiles } from "../added-files.tsx";
import type { Added } from "../added-files.tsx";
import { CaseSection, NotesSection } from "../form/case-section.tsx";
import { draftOf, hasItems, inputOf, missingIn, roleByName } from "../form/draft.ts";
import type { Draft } from "../form/draft.ts";
import { ItemsSection } from "../form/items-section.tsx";
import type { FormPart } from "../form/order-form.tsx";
import type { ActionDialogProps } from "./action-dialog.tsx";
import { DialogFoot } from "./dialog-foot.tsx";
import { hearStale, showOrder, useStep } from "./use-step.ts";
import { DayField } from "../../kernel/day-field.tsx";

/**
 * The prescription in the form's own sections: as a change proposal of the sender, or as the draft with which a lab
 * forwards an order.
 */
export function RxDialog({ order, action, onClose }: ActionDialogProps) {
  const t = useTexts("order", "forward");
  const rx = useRx(order);
  const own = action === "edit";
  const propose = useStep(order, "proposeChange", onClose);
  const child = useChild(order, onClose);
  const [reason, setReason] = useState("");
  const [added, setAdded] = useState<Added[]>([]);
  const [uploading, setUploading] = useState(false);
  const { busy, problem } = own ? child : propose;
  const press = () => {
    if (!rx.check(added)) return;
    const files = added.map(({ upload, role }) => ({ upload, role }));
    if (own) void child.save(rx.input());
    else void propose.run({ prescription: rx.input(), files, ...(reason.trim() && { reason: reason.trim() }) });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={t(own ? "forward.childTitle" : "order.action.proposeChange")}
      closeButtonProps={{ "aria-label": t("common.close") }}
      // Typed input is discarded only by a button that says so.
      closeOnClickOutside={false}
      closeOnEscape={!rx.touched}
    >
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t(own ? "forward.childSays" : "order.consequence.proposeChange")}
        </Text>
        {!order.actions.includes(action) && <Alert color="orange">{t("order.ask.gone")}</Alert>}
        <Sections {...rx.part} />
        {!own && <Why reason={reason} onReason={setReason} files={added} onFiles={setAdded} onBusy={setUploading} />}
        <DialogFoot
          does={t(own ? "common.save" : "order.action.proposeChange")}
          busy={busy}
          disabled={uploading || !order.actions.includes(action)}
          problem={problem}
          onCancel={onClose}
          onDo={press}
        />
      </Stack>
    </Modal>
  );
}

function Sections(part: FormPart) {
  const t = useTexts("order");
  return (
    <>
      <CaseSection {...part} />
      {hasItems(part.draft.caseType) && <ItemsSection {...part} />}
      <NotesSection {...part} />
      <DayField
        label={t("order.form.dueDate")}
        min={today()}
        value={part.draft.dueDate ?? ""}
        onChange={(day) => part.change({ dueDate: day || null })}
        error={part.error("dueDate")}
      />
    </>
  );
}

interface WhyProps {
  reason: string;
  onReason: (reason: string) => void;
  files: Added[];
  onFiles: (files: Added[]) => void;
  onBusy: (busy: boolean) => void;
}
const roles = ["answer", "upperScan", "lowerScan", "bite", "image", "photo", "document"] as const;
/** The reason and the files that go to the lab with a proposal, in addition to the prescription. */
function Why({ reason, onReason, files, onFiles, onBusy }: WhyProps) {
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
            onFiles([...files, ...more.map(({ id, name }) => ({ upload: id, name, role: roleByName(name) }))])
          }
        />
        <AddedFiles files={files} roles={roles} onChange={onFiles} />
      </Stack>
    </>
  );
}

/** The edited prescription, and its missing fields after the first attempt. */
function useRx(order: Order) {
  const t = useTexts("order");
  const [draft, setDraft] = useState<Draft>(() => draftOf(order));
  const [touched, setTouched] = useState(false);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const change = (part: Partial<Draft>) => {
    setTouched(true);
    setDraft((now) => ({ ...now, ...part }));
  };
  const check = (added: readonly Added[]): boolean => {
    // The patient and the lab are set elsewhere, so they cannot be missing here.
    const whole = { ...draft, patientId: order.id, targetIid: order.receiver?.iid ?? order.id };
    const lacks = missingIn(whole, [...order.files, ...added]);
    setMissing(lacks);
    return lacks.length === 0;
  };
  const error = (...names: string[]): string | undefined => {
    const lack = names.find((name) => missing.includes(name));
    return lack && t(`order.missing.${lack}`);
  };
  return { part: { draft, change, error } satisfies FormPart, touched, check, input: () => inputOf(draft, null) };
}

function useChild(order: Order, onDone: () => void) {
  const t = useTexts("order");
  const command = useCommand(forwardCalls.saveChild, { shownBy: "form" });
  const save = async (prescription: ReturnType<typeof inputOf>) => {
    const outcome = await command.run({ id: order.id, version: order.version, prescription }, hearStale);
    if (!outcome) return;
    toast("success", t("order.saving.done"));
    showOrder(outcome.data);
    onDone();
  };
  return { save, busy: command.busy, problem: command.refused?.show === "form" ? command.refused.msg : undefined };
}
