import { Fieldset, Group, Modal, NumberInput, Select, Stack, Switch, TextInput } from "@mantine/core";
import { Controller, useWatch } from "react-hook-form";
import { hl7Calls } from "@arcada/contract/hl7/hl7.calls";
import type { Hl7Connection } from "@arcada/contract/hl7/hl7.calls";
import { hl7Results } from "@arcada/contract/hl7/hl7.rules";
import type { Hl7Results } from "@arcada/contract/hl7/hl7.rules";
import { useTexts } from "../i18n/texts.ts";
import { useCallForm } from "../data/use-call-form.ts";
import { FormFooter } from "../ui/form/form-footer.tsx";

interface Values {
  name: string;
  application: string;
  facility: string;
  receiver: string;
  receiverFacility: string;
  authority: string;
  createsPatients: boolean;
  results: Hl7Results;
  host: string;
  port: number;
  tls: boolean;
}
/** The port that IANA has registered for HL7. */
const blank: Values = {
  name: "",
  application: "",
  facility: "",
  receiver: "",
  receiverFacility: "",
  authority: "",
  createsPatients: true,
  results: "off",
  host: "",
  port: 2575,
  tls: false,
};

const toValues = (connection: Hl7Connection): Values =>
  Object.fromEntries(Object.keys(blank).map((key) => [key, connection[key as keyof Values]])) as unknown as Values;

type TextName = "application" | "facility" | "receiver" | "receiverFacility" | "authority";

/** Adds a system, or edits one. */
export function Hl7Form({ connection, onClose }: { connection?: Hl7Connection; onClose: () => void }) {
  const t = useTexts("hl7");
  const { form, submit, busy, problem, error } = useCallForm<typeof hl7Calls.saveConnection, Values>(
    hl7Calls.saveConnection,
    {
      defaults: connection ? toValues(connection) : blank,
      input: (values) => ({ ...(connection && { id: connection.id }), ...values }),
      onSuccess: onClose,
    },
  );
  const results = useWatch({ control: form.control, name: "results" });
  const field = (name: TextName, description?: string) => (
    <TextInput
      label={t(`hl7.${name}`)}
      description={description}
      dir="ltr"
      autoComplete="off"
      maxLength={60}
      required={name === "application"}
      {...form.register(name)}
      error={error(name)}
    />
  );
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      title={t(connection ? "hl7.editTitle" : "hl7.new")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <TextInput
            label={t("hl7.name")}
            required
            data-autofocus
            autoComplete="off"
            maxLength={60}
            {...form.register("name")}
            error={error("name")}
          />
          <Group align="flex-start" grow preventGrowOverflow={false}>
            {field("application", t("hl7.applicationText"))}
            {field("facility", t("hl7.facilityText"))}
          </Group>
          <Group align="flex-start" grow preventGrowOverflow={false}>
            {field("receiver", t("hl7.receiverText"))}
            {field("receiverFacility", t("hl7.receiverText"))}
          </Group>
          {field("authority", t("hl7.authorityText"))}
          <Controller
            control={form.control}
            name="createsPatients"
            render={({ field: { value, onChange } }) => (
              <Switch
                label={t("hl7.createsPatients")}
                description={t("hl7.createsText")}
                checked={value}
                onChange={(event) => onChange(event.currentTarget.checked)}
              />
            )}
          />
          <Controller
            control={form.control}
            name="results"
            render={({ field: { value, onChange } }) => (
              <Select
                label={t("hl7.results")}
                allowDeselect={false}
                data={hl7Results.map((one) => ({ value: one, label: t(`hl7.resultsOf.${one}`) }))}
                value={value}
                onChange={(next) => onChange(next ?? "off")}
                error={error("results")}
              />
            )}
          />
          {results !== "off" && (
            <Fieldset variant="unstyled" legend={t("hl7.hostText")}>
              <Stack gap="md">
                <Group align="flex-start" grow preventGrowOverflow={false}>
                  <TextInput
                    label={t("hl7.host")}
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
                        label={t("hl7.port")}
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
                      label={t("hl7.tls")}
                      checked={value}
                      onChange={(event) => onChange(event.currentTarget.checked)}
                    />
                  )}
                />
              </Stack>
            </Fieldset>
          )}
          <FormFooter
            problem={problem}
            submitLabel={t(connection ? "common.save" : "hl7.add")}
            busy={busy}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
