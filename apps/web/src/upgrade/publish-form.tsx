import { Alert, Button, FileButton, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { refusals } from "@arcada/contract/kernel/refusals";
import { upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import type { PackageArrival } from "@arcada/contract/upgrade/upgrade.calls";
import { signatureFile } from "@arcada/contract/upgrade/upgrade.rules";
import { showBytes } from "../kernel/format.ts";
import { useGo } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCallForm } from "../kernel/use-form.ts";
import type { CallForm } from "../kernel/use-form.ts";
import { FormFoot } from "../ui/form-foot.tsx";
import { FormProblem } from "../ui/form-problem.tsx";

interface Values {
  name: string;
  product: string;
  version: string;
  description: string;
  signature: string;
  evenIfLower: boolean;
}
const blank: Values = { name: "", product: "", version: "", description: "", signature: "", evenIfLower: false };

/** The form for publishing a package: its description and its signature. The signature file fills in most of it. */
export function PublishForm({ arrival, onClose }: { arrival: PackageArrival; onClose: () => void }) {
  const t = useTexts("upgrade");
  const go = useGo();
  const [newest, setNewest] = useState<string | null>(null);
  const call = useCallForm<typeof upgradeCalls.publish, Values>(upgradeCalls.publish, {
    defaults: blank,
    input: (values) => ({ id: arrival.id, ...values }),
    done: ({ id }) => {
      toast("success", t("upgrade.published"));
      go("packageDetail", { id });
    },
    heard: ({ code, details }) => {
      if (code !== refusals.packageLower.code) return;
      setNewest(String((details as { newest?: unknown }).newest));
      call.form.setValue("evenIfLower", true);
    },
  });
  return (
    <form onSubmit={(event) => void call.submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {[arrival.fileName, showBytes(arrival.bytes), arrival.sha256?.slice(0, 16)].join(" · ")}
        </Text>
        <SignatureFile call={call} />
        <Fields call={call} />
        {newest !== null && <Alert color="orange">{t("upgrade.lower", { newest })}</Alert>}
        <FormFoot
          problem={call.problem}
          send={t(newest === null ? "upgrade.publish" : "upgrade.publishLower")}
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
  const fill = async (file: File) => {
    const read = signatureFile.safeParse(parsed(await file.text()));
    setUnreadable(!read.success);
    if (read.success)
      for (const name of ["product", "version", "signature"] as const) form.setValue(name, read.data[name]);
  };
  return (
    <>
      <FileButton
        accept=".json,application/json"
        onChange={(file) => void (file && fill(file))}
        inputProps={{ "aria-label": t("upgrade.signatureFile") }}
      >
        {(props) => (
          <Button {...props} variant="default">
            {t("upgrade.signatureFile")}
          </Button>
        )}
      </FileButton>
      {unreadable && <FormProblem text={t("upgrade.signatureUnreadable")} />}
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
