import { Modal, PasswordInput, Stack, TextInput, Textarea } from "@mantine/core";
import { useState } from "react";
import { analysisCalls, type Engine } from "@arcada/contract/analysis/analysis.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { FaultText } from "./engine-rejection-reason.tsx";

interface Values {
  address: string;
  model: string;
  modelVersion: string;
  token: string;
  manifest: string;
  card: string;
}

/** Adds a model server. The server is queried before it is saved; if that fails, the form shows its answer. */
export function RemoteEngineForm({ engine, onClose }: { engine?: Engine; onClose: () => void }) {
  const t = useTexts("analysis");
  const [fault, setFault] = useState<{ fault: string; detail: string | null } | null>(null);
  const call = useCallForm<typeof analysisCalls.setRemote, Values>(analysisCalls.setRemote, {
    defaults: toValues(engine),
    input: ({ token, modelVersion, ...values }) => ({
      ...values,
      ...(engine && { id: engine.id }),
      modelVersion: modelVersion || null,
      ...(token && { token }),
    }),
    onSuccess: ({ fault: faultCode, detail }) => (faultCode ? setFault({ fault: faultCode, detail }) : onClose()),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t(engine ? "analysis.remote.change" : "analysis.remote.new")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={(event) => void call.submit(event)} noValidate>
        <Stack gap="md">
          <Fields call={call} hasToken={engine?.remote?.hasToken ?? false} />
          {fault && <FaultText {...fault} />}
          <FormFooter
            problem={call.problem}
            submitLabel={t("analysis.remote.save")}
            busy={call.busy}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}

const toValues = (engine: Engine | undefined): Values => {
  const { address = "", model = "", modelVersion = null, manifest = "", card = "" } = engine?.remote ?? {};
  return { address, model, modelVersion: modelVersion ?? "", token: "", manifest, card };
};

function Fields({ call: { form, error }, hasToken }: { call: CallForm<Values>; hasToken: boolean }) {
  const t = useTexts("analysis");
  const field = (name: "address" | "model" | "modelVersion") => ({
    label: t(`analysis.remote.${name}`),
    required: name !== "modelVersion",
    dir: "ltr" as const,
    autoComplete: "off",
    ...form.register(name),
    error: error(name),
  });
  const json = (name: "manifest" | "card") => ({
    label: t(`analysis.remote.${name}`),
    description: t(`analysis.remote.${name}Text`),
    required: true,
    dir: "ltr" as const,
    autosize: true,
    minRows: 3,
    maxRows: 10,
    ff: "monospace",
    ...form.register(name),
    error: error(name),
  });
  return (
    <>
      <TextInput data-autofocus type="url" description={t("analysis.remote.addressText")} {...field("address")} />
      <TextInput {...field("model")} />
      <TextInput {...field("modelVersion")} />
      <PasswordInput
        label={t("analysis.remote.token")}
        description={hasToken ? t("analysis.remote.tokenKept") : undefined}
        autoComplete="off"
        {...form.register("token")}
        error={error("token")}
      />
      <Textarea {...json("manifest")} />
      <Textarea {...json("card")} />
    </>
  );
}
