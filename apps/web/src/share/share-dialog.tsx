import { Alert, Checkbox, Modal, Stack, TextInput } from "@mantine/core";
import { IconShieldExclamation } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { shareRules } from "@arcada/contract/share/share.rules";
import { useTexts } from "../i18n/texts.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { DaysField, FactorFields, NamesField, type ShareValues } from "./share-fields.tsx";
import { SharedPartsFields, type SharedRevision } from "./shared-order-parts-fields.tsx";
import { CreatedShareLink, type CreatedShare } from "./created-share-link.tsx";

interface Props {
  target: ShareTarget;
  identifyingNotice: ReactNode;
  onClose: () => void;
}

/** The study or the order that the link shows. */
type ShareTarget = { kind: "study"; id: string } | SharedOrder;
interface SharedOrder {
  kind: "order";
  id: string;
  revisions: readonly SharedRevision[];
  /** True if the lab shares the order. A lab knows at most the patient's name. */
  byLab: boolean;
  nameHidden: boolean;
}

/** Creates a link: its recipient, lifetime and factor. Then shows the link once. */
export function ShareDialog({ target, identifyingNotice, onClose }: Props) {
  const t = useTexts("share");
  const [created, setCreated] = useState<CreatedShare | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      // The new link is shown only once: a click beside the dialog must not lose it.
      closeOnClickOutside={created === null}
      title={t(created ? "share.made.title" : target.kind === "order" ? "share.make.orderTitle" : "share.make.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {created ? (
        <CreatedShareLink created={created} onDone={onClose} />
      ) : (
        <Form target={target} identifyingNotice={identifyingNotice} onClose={onClose} onCreated={setCreated} />
      )}
    </Modal>
  );
}

const defaultValues: ShareValues = {
  label: "",
  days: String(shareRules.defaultDays),
  names: "shown",
  factor: { kind: "phrase", email: "", phrase: "" },
  allowDownload: false,
  pictures: false,
  revisions: [],
  warned: false,
};

function Form({
  target,
  identifyingNotice,
  onClose,
  onCreated,
}: Props & { onCreated: (created: CreatedShare) => void }) {
  const t = useTexts("share");
  const nameHidden = target.kind === "order" && target.nameHidden;
  const call = useCallForm<typeof shareCalls.create, ShareValues>(shareCalls.create, {
    defaults: { ...defaultValues, names: nameHidden ? "hidden" : "shown" },
    input: (values) => toInput(target, values),
    onSuccess: onCreated,
  });
  const { form, submit, busy, problem, error } = call;
  const names = useWatch({ control: form.control, name: "names" });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="lg">
        <Alert
          color="yellow"
          icon={<IconShieldExclamation size={20} stroke={1.6} aria-hidden />}
          title={t("share.make.warningTitle")}
        >
          {t(target.kind === "order" ? "share.make.orderWarning" : "share.make.warningText")}
        </Alert>
        <TextInput
          label={t("share.make.label")}
          description={t("share.make.labelText")}
          required
          data-autofocus
          autoComplete="off"
          maxLength={shareRules.maxLabelLength}
          {...form.register("label")}
          error={error("label")}
        />
        <DaysField form={form} />
        {target.kind === "order" && <SharedPartsFields form={form} revisions={target.revisions} />}
        {!nameHidden && <NamesField form={form} />}
        {names === "hidden" && identifyingNotice}
        <FactorFields
          form={form}
          error={error}
          isOrder={target.kind === "order"}
          byLab={target.kind === "order" && target.byLab}
        />
        <Checkbox label={t("share.make.allowDownload")} {...form.register("allowDownload")} />
        <Checkbox label={t("share.make.warned")} {...form.register("warned")} error={error("warned")} />
        <FormFooter problem={problem} submitLabel={t("share.make.action")} busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}

const toInput = (
  { kind, id }: ShareTarget,
  { label, days, names, factor, allowDownload, pictures, revisions, warned }: ShareValues,
) => ({
  kind,
  id,
  label,
  days: Number(days),
  nameless: names === "hidden",
  factor:
    factor.kind === "email"
      ? { kind: factor.kind, email: factor.email.trim() }
      : factor.kind === "phrase"
        ? { kind: factor.kind, phrase: factor.phrase }
        : { kind: factor.kind },
  allowDownload,
  ...(kind === "order" && { pictures, revisions }),
  // The schema rejects an unticked box, with an error beside it.
  warned: warned as true,
});
