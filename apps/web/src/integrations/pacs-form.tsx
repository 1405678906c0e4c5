import { Group, Modal, NumberInput, Stack, Switch, TextInput } from "@mantine/core";
import { Controller } from "react-hook-form";
import { pacsCalls } from "@arcada/contract/pacs/pacs.calls";
import type { PacsDestination } from "@arcada/contract/pacs/pacs.calls";
import { useTexts } from "../i18n/texts.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";

interface Values {
  name: string;
  title: string;
  host: string;
  port: number;
  tls: boolean;
}
/** The port that IANA has registered for DICOM. */
const blank: Values = { name: "", title: "", host: "", port: 104, tls: false };

/** Adds a PACS, or edits one. */
export function PacsForm({ destination, onClose }: { destination?: PacsDestination; onClose: () => void }) {
  const t = useTexts("pacs");
  const { name, title, host, port, tls } = destination ?? blank;
  const { form, submit, busy, problem, error } = useCallForm<typeof pacsCalls.saveDestination, Values>(
    pacsCalls.saveDestination,
    {
      defaults: { name, title, host, port, tls },
      input: (values) => ({ ...(destination && { id: destination.id }), ...values }),
      onSuccess: onClose,
    },
  );
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(destination ? "pacs.editTitle" : "pacs.new")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <TextInput
            label={t("pacs.name")}
            required
            data-autofocus
            autoComplete="off"
            maxLength={60}
            {...form.register("name")}
            error={error("name")}
          />
          <TextInput
            label={t("pacs.aeTitle")}
            description={t("pacs.aeTitleText")}
            required
            dir="ltr"
            autoComplete="off"
            maxLength={16}
            {...form.register("title")}
            error={error("title")}
          />
          <Group align="flex-start" grow preventGrowOverflow={false}>
            <TextInput
              label={t("pacs.host")}
              required
              dir="ltr"
              autoComplete="off"
              maxLength={253}
              {...form.register("host")}
              error={error("host")}
            />
            <Controller
              control={form.control}
              name="port"
              render={({ field: { value, onChange } }) => (
                <NumberInput
                  label={t("pacs.port")}
                  required
                  hideControls
                  maw={110}
                  min={1}
                  max={65_535}
                  allowDecimal={false}
                  value={value}
                  onChange={(next) => onChange(Number(next))}
                  error={error("port")}
                />
              )}
            />
          </Group>
          <Controller
            control={form.control}
            name="tls"
            render={({ field: { value, onChange } }) => (
              <Switch
                label={t("pacs.tls")}
                description={t("pacs.tlsText")}
                checked={value}
                onChange={(event) => onChange(event.currentTarget.checked)}
                error={error("tls")}
              />
            )}
          />
          <FormFooter
            problem={problem}
            submitLabel={t(destination ? "common.save" : "pacs.add")}
            busy={busy}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
