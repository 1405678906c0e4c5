import { Button, Checkbox, Group, Input, Modal, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { consentCalls, consentKinds, type ConsentKind } from "@arcada/contract/consent/consent.calls";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCallForm, type CallForm } from "../data/use-call-form.ts";
import { parseWallTime, toWallTime } from "../i18n/time-zone.ts";
import { FileDrop } from "../ui/upload/file-drop.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import classes from "./consent.module.css";
import { DayFormField } from "../ui/form/day-form-field.tsx";

interface Props {
  patientId: string;
  patientName: string;
  kind: ConsentKind;
  onKind: (kind: ConsentKind) => void;
  onClose: () => void;
}
interface Values {
  how: "paper" | "screen";
  textVersion: string;
  givenBy: string;
  givenFor: "self" | "guardian";
  givenAt: string;
  scan: { id: string; name: string } | null;
  note: string;
}

const getInitialValues = (givenBy: string): Values => ({
  how: "screen",
  textVersion: "",
  givenBy,
  givenFor: "self",
  givenAt: toWallTime(),
  scan: null,
  note: "",
});
const toInput = ({ scan, note, givenAt, ...values }: Values) => ({
  ...values,
  givenAt: parseWallTime(givenAt),
  upload: scan?.id ?? null,
  note: note || null,
});

/** Records a patient's consent: to our text on the screen, or on paper. */
export function ConsentForm({ patientId, patientName, kind, onKind, onClose }: Props) {
  const t = useTexts("consent");
  const [isUploading, setUploading] = useState(false);
  const [isRead, setRead] = useState(false);
  const call = useCallForm<typeof consentCalls.give, Values>(consentCalls.give, {
    defaults: getInitialValues(patientName),
    input: (values) => ({ ...toInput(values), patientId, kind }),
    onSuccess: () => {
      toast("success", t("consent.saved"));
      onClose();
    },
  });
  const how = call.form.watch("how");
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t("consent.addTitle")}
      closeButtonProps={{ "aria-label": t("common.close") }}
      closeOnClickOutside={false}
    >
      <form noValidate onSubmit={(event) => void call.submit(event)}>
        <Stack gap="md">
          <KindSelect
            kind={kind}
            onKind={(chosen) => {
              onKind(chosen);
              setRead(false);
            }}
          />
          <SegmentedControl
            aria-label={t("consent.field.how")}
            data={(["screen", "paper"] as const).map((value) => ({ value, label: t(`consent.how.${value}`) }))}
            value={how}
            onChange={(value) => call.form.setValue("how", value === "paper" ? "paper" : "screen")}
          />
          {how === "screen" ? (
            <ScreenConsent kind={kind} isRead={isRead} onRead={setRead} />
          ) : (
            <PaperConsent call={call} onBusy={setUploading} />
          )}
          <GivenByFields call={call} />
          <FormError text={call.problem} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" loading={call.busy} disabled={isUploading || (how === "screen" && !isRead)}>
              {t("common.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function KindSelect({ kind, onKind }: { kind: ConsentKind; onKind: (kind: ConsentKind) => void }) {
  const t = useTexts("consent");
  return (
    <Select
      label={t("consent.field.kind")}
      allowDeselect={false}
      data={consentKinds.map((value) => ({ value, label: t(`consent.kind.${value}`) }))}
      value={kind}
      onChange={(value) => onKind(consentKinds.find((one) => one === value) ?? kind)}
    />
  );
}

interface ScreenConsentProps {
  kind: ConsentKind;
  isRead: boolean;
  onRead: (isRead: boolean) => void;
}
function ScreenConsent({ kind, isRead, onRead }: ScreenConsentProps) {
  const t = useTexts("consent");
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t("consent.read")}
      </Text>
      <blockquote className={classes.text}>{t(`consent.words.${kind}`)}</blockquote>
      <Checkbox label={t("consent.agree")} checked={isRead} onChange={(event) => onRead(event.currentTarget.checked)} />
    </div>
  );
}

function PaperConsent({ call: { form, error }, onBusy }: { call: CallForm<Values>; onBusy: (busy: boolean) => void }) {
  const t = useTexts("consent", "order", "upload");
  const scan = form.watch("scan");
  return (
    <>
      <TextInput
        label={t("consent.field.textVersion")}
        withAsterisk
        maxLength={40}
        error={error("textVersion")}
        {...form.register("textVersion")}
      />
      <Stack gap="xs">
        <Input.Label component="div">{t("consent.field.scan")}</Input.Label>
        {scan ? (
          <Text size="sm">{scan.name}</Text>
        ) : (
          <FileDrop
            onBusy={onBusy}
            onFinished={([first]) => first && form.setValue("scan", { id: first.id, name: first.name })}
          />
        )}
      </Stack>
    </>
  );
}

function GivenByFields({ call: { form, error } }: { call: CallForm<Values> }) {
  const t = useTexts("consent");
  return (
    <>
      <Group grow align="flex-start">
        <TextInput
          label={t("consent.field.givenBy")}
          withAsterisk
          maxLength={80}
          error={error("givenBy")}
          {...form.register("givenBy")}
        />
        <Select
          label={t("consent.field.givenFor")}
          allowDeselect={false}
          data={(["self", "guardian"] as const).map((value) => ({ value, label: t(`consent.for.${value}`) }))}
          value={form.watch("givenFor")}
          onChange={(value) => form.setValue("givenFor", value === "guardian" ? "guardian" : "self")}
        />
      </Group>
      <DayFormField
        form={form}
        field="givenAt"
        withTime
        label={t("consent.field.givenAt")}
        withAsterisk
        error={error("givenAt")}
      />
      <TextInput label={t("consent.field.note")} maxLength={500} error={error("note")} {...form.register("note")} />
    </>
  );
}
