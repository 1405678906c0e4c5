import { Alert, Button, FileButton, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { refusals } from "@arcada/contract/kernel/refusals";
import { upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import type { PackageArrival } from "@arcada/contract/upgrade/upgrade.calls";
import { signatureFile } from "@arcada/contract/upgrade/upgrade.rules";
import { formatBytes } from "../i18n/format.ts";
import { useOpenScreen } from "../browser/navigation.tsx";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";
import { FormError } from "../ui/form/form-error.tsx";

interface Values {
  name: string;
  product: string;
  version: string;
  description: string;
  signature: string;
  evenIfLower: boolean;
}
const emptyValues: Values = { name: "", product: "", version: "", description: "", signature: "", evenIfLower: false };

/** The form for publishing a package: its description and its signature. The signature file fills in most of it. */
export function PublishForm({ upload, onClose }: { upload: PackageArrival; onClose: () => void }) {
  const t = useTexts("upgrade");
  const go = useOpenScreen();
  const [newest, setNewest] = useState<string | null>(null);
  const call = useCallForm<typeof upgradeCalls.publish, Values>(upgradeCalls.publish, {
    defaults: emptyValues,
    input: (values) => ({ id: upload.id, ...values }),
    onSuccess: ({ id }) => {
      toast("success", t("upgrade.published"));
      go("packageDetail", { id });
    },
    onRefused: ({ code, details }) => {
      if (code !== refusals.packageLower.code) return;
      setNewest(String((details as { newest?: unknown }).newest));
      call.form.setValue("evenIfLower", true);
    },
  });
  return (
    <form onSubmit={(event) => void call.submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {[upload.fileName, formatBytes(upload.bytes), upload.sha256?.slice(0, 16)].join(" · ")}
        </Text>
        <SignatureFile call={call} />
        <Fields call={call} />
        {newest !== null && <Alert color="orange">{t("upgrade.lower", { newest })}</Alert>}
        <FormFooter
          problem={call.problem}
          submitLabel={t(newest === null ? "upgrade.publish" : "upgrade.publishLower")}
          busy={call.busy}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

function SignatureFile({ call: { form } }: { call: CallForm<Values> }) {
  const t = useTexts("upgrade");
  const [unreadable, setUnreadable] = useState(false);
  const fillFromFile = async (file: File) => {
    const read = signatureFile.safeParse(parseJson(await file.text()));
    setUnreadable(!read.success);
    if (read.success)
      for (const name of ["product", "version", "signature"] as const) form.setValue(name, read.data[name]);
  };
  return (
    <>
      <FileButton
        accept=".json,application/json"
        onChange={(file) => void (file && fillFromFile(file))}
        inputProps={{ "aria-label": t("upgrade.signatureFile") }}
      >
        {(props) => (
          <Button {...props} variant="default">
            {t("upgrade.signatureFile")}
          </Button>
        )}
      </FileButton>
      {unreadable && <FormError text={t("upgrade.signatureUnreadable")} />}
    </>
  );
}

function Fields({ call: { form, error } }: { call: CallForm<Values> }) {
  const t = useTexts("upgrade");
  const line = (name: "name" | "product" | "version" | "signature", dir: "ltr" | "auto") => (
    <TextInput
      label={t(`upgrade.${name}`)}
      required
      dir={dir}
      autoComplete="off"
      {...form.register(name)}
      error={error(name)}
    />
  );
  return (
    <>
      {line("name", "auto")}
      {line("product", "auto")}
      {line("version", "ltr")}
      {line("signature", "ltr")}
      <Textarea
        label={t("upgrade.description")}
        description={t("upgrade.descriptionText")}
        required
        autosize
        minRows={5}
        maxRows={14}
        {...form.register("description")}
        error={error("description")}
      />
    </>
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
