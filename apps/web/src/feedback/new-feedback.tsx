import { Modal, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { Controller } from "react-hook-form";
import { feedbackCalls } from "@arcada/contract/feedback/feedback.calls";
import type { FeedbackDevice } from "@arcada/contract/feedback/feedback.calls";
import { feedbackPages, feedbackRules } from "@arcada/contract/feedback/feedback.rules";
import type { FeedbackPage } from "@arcada/contract/feedback/feedback.rules";
import { useOpenScreen } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { ImageChooser, uploadImages } from "./choose-feedback-images.tsx";
import classes from "./feedback.module.css";

interface Props {
  /** A registered device; its known data is filled in. */
  device: string | undefined;
  onClose: () => void;
}

/** The form for new feedback, on a registered device or on any other. */
export function NewFeedback({ device, onClose }: Props) {
  const t = useTexts("feedback");
  const isNarrow = useMediaQuery("(max-width: 47.99em)", window.innerWidth < 768, { getInitialValueInEffect: false });
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      fullScreen={isNarrow}
      title={t("feedback.new")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {device ? (
        <RegisteredDeviceForm device={device} onClose={onClose} />
      ) : (
        <Form deviceFacts={emptyDevice} onClose={onClose} />
      )}
    </Modal>
  );
}

const emptyDevice: FeedbackDevice = {
  product: "",
  model: "",
  softwareVersion: "",
  ctDetectorType: "",
  ctDetectorSerial: "",
  lateralDetectorType: "",
  lateralDetectorSerial: "",
  deviceAddress: "",
};

function RegisteredDeviceForm({ device, onClose }: { device: string; onClose: () => void }) {
  const query = useCall(feedbackCalls.device, { id: device });
  return (
    <QueryResult of={query}>
      {({ serialNumber, clinic, ...deviceFacts }) => (
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {[deviceFacts.product, deviceFacts.model, serialNumber, clinic].filter(Boolean).join(" · ")}
          </Text>
          <Form device={device} deviceFacts={deviceFacts} onClose={onClose} />
        </Stack>
      )}
    </QueryResult>
  );
}

type Values = FeedbackDevice & { page: FeedbackPage | ""; description: string };

function Form({ device, deviceFacts, onClose }: { device?: string; deviceFacts: FeedbackDevice; onClose: () => void }) {
  const t = useTexts("feedback");
  const go = useOpenScreen();
  const [images, setImages] = useState<File[]>([]);
  const [sending, setSending] = useState(false);
  const call = useCallForm<typeof feedbackCalls.create, Values>(feedbackCalls.create, {
    defaults: { ...deviceFacts, page: "", description: "" },
    input: (values) => ({ ...values, page: values.page as FeedbackPage, ...(device && { deviceId: device }) }),
    onSuccess: async ({ id }) => {
      setSending(true);
      // Images that could not be sent can be added later on the feedback's own page.
      await uploadImages(id, images);
      go("feedbackDetail", { id });
    },
  });
  const { form, submit, busy, problem, error } = call;
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Controller
          control={form.control}
          name="page"
          render={({ field: { value, onChange } }) => (
            <Select
              label={t("feedback.page")}
              required
              data-autofocus
              data={feedbackPages.map((page) => ({ value: page, label: t(`feedback.pages.${page}`) }))}
              value={value || null}
              onChange={(chosen) => onChange(chosen ?? "")}
              error={error("page")}
            />
          )}
        />
        <Textarea
          label={t("feedback.description")}
          description={t("feedback.descriptionText")}
          required
          autosize
          minRows={4}
          maxRows={12}
          maxLength={feedbackRules.maxTextLength}
          {...form.register("description")}
          error={error("description")}
        />
        <ImageChooser chosen={images} maxCount={feedbackRules.pictures} onChange={setImages} />
        <DeviceFields call={call} isRegistered={device !== undefined} />
        <FormFooter problem={problem} submitLabel={t("feedback.send")} busy={busy || sending} onClose={onClose} />
      </Stack>
    </form>
  );
}

/** The register already holds the product and the model of a registered device. */
function DeviceFields({ call: { form, error }, isRegistered }: { call: CallForm<Values>; isRegistered: boolean }) {
  const t = useTexts("feedback");
  const field = (name: keyof FeedbackDevice, required = false) => (
    <TextInput
      label={t(`feedback.${name}`)}
      required={required}
      autoComplete="off"
      {...form.register(name)}
      error={error(name)}
    />
  );
  return (
    <>
      <div className={classes.pair}>
        {!isRegistered && field("product", true)}
        {!isRegistered && field("model")}
        {field("softwareVersion", true)}
      </div>
      <div className={classes.pair}>
        {field("ctDetectorType")}
        {field("ctDetectorSerial")}
      </div>
      <div className={classes.pair}>
        {field("lateralDetectorType")}
        {field("lateralDetectorSerial")}
      </div>
      {field("deviceAddress")}
    </>
  );
}
