import { Alert, Button, FileButton, Group, Modal, Progress, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { refusals } from "@arcada/contract/kernel/refusals";
import { upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import type { PackageArrival } from "@arcada/contract/upgrade/upgrade.calls";
import { signatureFile, upgradeRules } from "@arcada/contract/upgrade/upgrade.rules";
import { showBytes } from "../kernel/format.ts";
import { useGo } from "../kernel/link.tsx";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCall } from "../kernel/use-call.ts";
import { useCommand } from "../kernel/use-command.ts";
import { useCallForm } from "../kernel/use-form.ts";
import { FormProblem } from "../ui/form-problem.tsx";
import { usePackageSending } from "./use-package-sending.ts";

/** First the bytes, then what they are and who has signed that. What was sent before waits here. */
export function PublishPackage({ onClose }: { onClose: () => void }) {
  const t = useTexts("upgrade");
  const [chosen, setChosen] = useState<string | null>(null);
  const arrivals = useCall(upgradeCalls.arrivals, {}, { every: 2000 });
  const isNarrow = useMediaQuery("(max-width: 47.99em)", window.innerWidth < 768, { getInitialValueInEffect: false });
  const arrival = arrivals.data?.find(({ id }) => id === chosen);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      fullScreen={isNarrow}
      title={t("upgrade.publish")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {arrival?.sha256 ? (
        <Form arrival={arrival} onClose={onClose} />
      ) : (
        <Sending arrivals={arrivals.data ?? []} onChosen={setChosen} onChanged={() => void arrivals.refetch()} />
      )}
    </Modal>
  );
}

interface SendingProps {
  arrivals: readonly PackageArrival[];
  onChosen: (id: string) => void;
  onChanged: () => void;
}
function Sending({ arrivals, onChosen, onChanged }: SendingProps) {
  const t = useTexts("upgrade");
  const { share, send } = usePackageSending(arrivals, (id) => {
    onChosen(id);
    onChanged();
  });
  const forget = useCommand(upgradeCalls.forget);
  const percent = Math.round((share ?? 0) * 100);
  return (
    <Stack gap="md">
      <Text size="sm">{t("upgrade.fileText", { size: showBytes(upgradeRules.bytes) })}</Text>
      <FileButton onChange={(file) => void (file && send(file))} inputProps={{ "aria-label": t("upgrade.file") }}>
        {(props) => (
          <Button {...props} loading={share !== null} variant="default">
            {t("upgrade.file")}
          </Button>
        )}
      </FileButton>
      {share !== null && (
        <Stack gap={4} role="status">
          <Text size="sm">{t(share < 1 ? "upgrade.sending" : "upgrade.summing", { percent })}</Text>
          <Progress value={percent} aria-label={t("upgrade.sending", { percent })} />
        </Stack>
      )}
      {share === null &&
        arrivals.map((one) => (
          <Group key={one.id} justify="space-between" gap="sm">
            <div>
              <Text size="sm" fw={600}>
                {one.fileName}
              </Text>
              <Text size="xs" c="dimmed">
                {one.sha256
                  ? showBytes(one.bytes)
                  : t("upgrade.partly", { sent: showBytes(one.offset), all: showBytes(one.bytes) })}
              </Text>
            </div>
            <Group gap="xs">
              <Button size="xs" variant="subtle" loading={forget.busy} onClick={() => void forget.run({ id: one.id })}>
                {t("upgrade.forget")}
              </Button>
              {one.sha256 && (
                <Button size="xs" variant="default" onClick={() => onChosen(one.id)}>
                  {t("common.next")}
                </Button>
              )}
            </Group>
          </Group>
        ))}
    </Stack>
  );
}

interface Values {
  name: string;
  product: string;
  version: string;
  description: string;
  signature: string;
  evenIfLower: boolean;
}
const blank: Values = { name: "", product: "", version: "", description: "", signature: "", evenIfLower: false };

function Form({ arrival, onClose }: { arrival: PackageArrival; onClose: () => void }) {
  const t = useTexts("upgrade");
  const go = useGo();
  const [newest, setNewest] = useState<string | null>(null);
  const [unreadable, setUnreadable] = useState(false);
  const { form, submit, busy, problem, error } = useCallForm<typeof upgradeCalls.publish, Values>(
    upgradeCalls.publish,
    {
      defaults: blank,
      input: (values) => ({ id: arrival.id, ...values }),
      done: ({ id }) => {
        toast("success", t("upgrade.published"));
        go("packageDetail", { id });
      },
      heard: ({ code, details }) => {
        if (code !== refusals.packageLower.code) return;
        setNewest(String((details as { newest?: unknown }).newest));
        form.setValue("evenIfLower", true);
      },
    },
  );
  const readSignature = async (file: File) => {
    const read = signatureFile.safeParse(parsed(await file.text()));
    setUnreadable(!read.success);
    if (!read.success) return;
    for (const name of ["product", "version", "signature"] as const) form.setValue(name, read.data[name]);
  };
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {arrival.fileName} · {showBytes(arrival.bytes)} · SHA-256 {arrival.sha256?.slice(0, 16)}…
        </Text>
        <FileButton
          accept=".json,application/json"
          onChange={(file) => void (file && readSignature(file))}
          inputProps={{ "aria-label": t("upgrade.signatureFile") }}
        >
          {(props) => (
            <Button {...props} variant="default">
              {t("upgrade.signatureFile")}
            </Button>
          )}
        </FileButton>
        {unreadable && <FormProblem text={t("upgrade.signatureUnreadable")} />}
        <TextInput label={t("upgrade.name")} required {...form.register("name")} error={error("name")} />
        <TextInput label={t("upgrade.product")} required {...form.register("product")} error={error("product")} />
        <TextInput
          label={t("upgrade.version")}
          required
          dir="ltr"
          {...form.register("version")}
          error={error("version")}
        />
        <TextInput
          label={t("upgrade.signature")}
          required
          dir="ltr"
          {...form.register("signature")}
          error={error("signature")}
        />
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
        {newest !== null && <Alert color="orange">{t("upgrade.lower", { newest })}</Alert>}
        <FormProblem text={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={busy}>
            {t(newest === null ? "upgrade.publish" : "upgrade.publishLower")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
