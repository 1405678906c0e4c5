import { Alert, Checkbox, Modal, Stack, TextInput } from "@mantine/core";
import { IconShieldExclamation } from "@tabler/icons-react";
import { useState } from "react";
import type { ReactNode } from "react";
import { useWatch } from "react-hook-form";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { shareRules } from "@arcada/contract/share/share.rules";
import { useTexts } from "../kernel/texts.ts";
import { useCallForm } from "../kernel/use-form.ts";
import { FormFoot } from "../ui/form-foot.tsx";
import { DaysField, FactorFields, NamesField, type Values } from "./share-fields.tsx";
import { ShownFields, type SharedRevision } from "./share-shown.tsx";
import { ShareMade, type Made } from "./share-made.tsx";

interface Props {
  thing: Thing;
  telling: ReactNode;
  onClose: () => void;
}

/** The study or the order that the link shows. */
type Thing = { kind: "study"; id: string } | SharedOrder;
interface SharedOrder {
  kind: "order";
  id: string;
  revisions: readonly SharedRevision[];
  /** True if the lab shares the order. A lab knows at most the patient's name. */
  byLab: boolean;
  nameHidden: boolean;
}

/** Creates a link: its recipient, lifetime and factor. Then shows the link once. */
export function ShareDialog({ thing, telling, onClose }: Props) {
  const t = useTexts("share");
  const [made, setMade] = useState<Made | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      // The new link is shown only once: a click beside the dialog must not lose it.
      closeOnClickOutside={made === null}
      title={t(made ? "share.made.title" : thing.kind === "order" ? "share.make.orderTitle" : "share.make.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {made ? (
        <ShareMade made={made} onDone={onClose} />
      ) : (
        <Form thing={thing} telling={telling} onClose={onClose} onMade={setMade} />
      )}
    </Modal>
  );
}

const defaults: Values = {
  label: "",
  days: String(shareRules.usualDays),
  names: "shown",
  factor: { kind: "phrase", email: "", phrase: "" },
  allowDownload: false,
  pictures: false,
  revisions: [],
  warned: false,
};

function Form({ thing, telling, onClose, onMade }: Props & { onMade: (made: Made) => void }) {
  const t = useTexts("share");
  const nameHidden = thing.kind === "order" && thing.nameHidden;
  const call = useCallForm<typeof shareCalls.create, Values>(shareCalls.create, {
    defaults: { ...defaults, names: nameHidden ? "hidden" : "shown" },
    input: (values) => inputOf(thing, values),
    done: onMade,
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
          {t(thing.kind === "order" ? "share.make.orderWarning" : "share.make.warningText")}
        </Alert>
        <TextInput
          label={t("share.make.label")}
          description={t("share.make.labelText")}
          required
          data-autofocus
          autoComplete="off"
          maxLength={shareRules.labelMost}
          {...form.register("label")}
          error={error("label")}
        />
        <DaysField form={form} />
        {thing.kind === "order" && <ShownFields form={form} revisions={thing.revisions} />}
        {!nameHidden && <NamesField form={form} />}
        {names === "hidden" && telling}
        <FactorFields
          form={form}
          error={error}
          isOrder={thing.kind === "order"}
          byLab={thing.kind === "order" && thing.byLab}
        />
        <Checkbox label={t("share.make.allowDownload")} {...form.register("allowDownload")} />
        <Checkbox label={t("share.make.warned")} {...form.register("warned")} error={error("warned")} />
        <FormFoot problem={problem} send={t("share.make.action")} busy={busy} onClose={onClose} />
      </Stack>
    </form>
  );
}

const inputOf = (
  { kind, id }: Thing,
  { label, days, names, factor, allowDownload, pictures, revisions, warned }: Values,
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
