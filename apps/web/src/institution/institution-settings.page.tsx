import { Button, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { languageTags } from "@arcada/contract/kernel/languages";
import { currentLanguage, useTexts } from "../i18n/texts.ts";
import { refetchCurrentUser } from "../session/current-user.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { Answer } from "../ui/answer.tsx";
import { CopyText } from "../ui/copy-text.tsx";
import { FormError } from "../ui/form/form-error.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { ReportLogos } from "./report-logos.tsx";
import { ReceiptRule } from "./receipt-rule.tsx";
import { RetentionRule } from "./retention-rule.tsx";
import { RuleSwitches } from "./rule-switches.tsx";
import { ManagerLinks } from "./manager-links.tsx";
import { ZoneRule } from "./time-zone-rule.tsx";

type Institution = Output<typeof institutionCalls.detail>;
export interface SettingsValues {
  name: string;
  address: string;
  contactPerson: string;
  contactWay: string;
  longitude: string;
  latitude: string;
  hidePatientNames: boolean;
  autoAcceptRelations: boolean;
  sharePhones: boolean;
  requireFactor: boolean;
  receiptDays: number | null;
  retentionYears: number | null;
  timeZone: string;
}

/** The institution's public profile and rules, which its managers can change. */
export function Page() {
  const t = useTexts("institution");
  const query = useCall(institutionCalls.detail, {});
  return (
    <PageBody title={t("institution.title")} description={t("institution.says")}>
      <Answer of={query}>
        {(institution) => (
          <Stack gap="lg">
            <SettingsForm key={institution.id} institution={institution} />
            <ReportLogos logos={institution.reportLogo} />
            <ManagerLinks />
          </Stack>
        )}
      </Answer>
    </PageBody>
  );
}

const toValues = (one: Institution): SettingsValues => ({
  name: one.name,
  address: one.address ?? "",
  contactPerson: one.contactPerson ?? "",
  contactWay: one.contactWay ?? "",
  longitude: one.longitude?.toString() ?? "",
  latitude: one.latitude?.toString() ?? "",
  hidePatientNames: one.hidePatientNames,
  autoAcceptRelations: one.autoAcceptRelations,
  sharePhones: one.sharePhones,
  requireFactor: one.requireFactor,
  receiptDays: one.receiptDays,
  retentionYears: one.retentionYears,
  timeZone: one.timeZone,
});
const toInput = ({ longitude, latitude, ...values }: SettingsValues) => ({
  name: values.name,
  hidePatientNames: values.hidePatientNames,
  autoAcceptRelations: values.autoAcceptRelations,
  sharePhones: values.sharePhones,
  requireFactor: values.requireFactor,
  receiptDays: values.receiptDays,
  retentionYears: values.retentionYears,
  timeZone: values.timeZone,
  address: values.address || null,
  contactPerson: values.contactPerson || null,
  contactWay: values.contactWay || null,
  longitude: parseCoordinate(longitude),
  latitude: parseCoordinate(latitude),
});
const parseCoordinate = (text: string): number | null => (text.trim() === "" ? null : Number(text));

function SettingsForm({ institution }: { institution: Institution }) {
  const t = useTexts("institution");
  const { form, submit, busy, problem, error } = useCallForm<typeof institutionCalls.update, SettingsValues>(
    institutionCalls.update,
    {
      defaults: toValues(institution),
      input: toInput,
      onSuccess: (saved) => {
        form.reset(toValues(saved));
        void refetchCurrentUser();
        toast("success", t("common.saved"));
      },
    },
  );
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="lg">
        <BasicFacts institution={institution} form={form} error={error} />
        <ContactSection form={form} error={error} />
        <RuleSwitches form={form} error={error} />
        <ReceiptRule form={form} error={error} />
        {institution.type === "clinic" && <RetentionRule country={institution.country} form={form} error={error} />}
        <FormError text={problem} />
        <Group justify="flex-end">
          {form.formState.isDirty && (
            <Text size="sm" c="dimmed" role="status">
              {t("institution.unsaved")}
            </Text>
          )}
          <Button variant="default" disabled={!form.formState.isDirty || busy} onClick={() => form.reset()}>
            {t("common.reset")}
          </Button>
          <Button type="submit" loading={busy} disabled={!form.formState.isDirty}>
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function BasicFacts({
  institution,
  form,
  error,
}: { institution: Institution } & Pick<CallForm<SettingsValues>, "form" | "error">) {
  const t = useTexts("institution");
  return (
    <Section title={t("institution.basics")}>
      <Stack gap="md">
        <TextInput
          label={t("institution.name")}
          required
          maxLength={120}
          {...form.register("name")}
          error={error("name")}
        />
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
          <LabelledFact label={t("institution.number")} hint={t("institution.numberText")}>
            <CopyText text={institution.number} label={t("institution.copyNumber")} />
          </LabelledFact>
          <LabelledFact label={t("institution.type")}>{t(`common.institutionType.${institution.type}`)}</LabelledFact>
          <LabelledFact label={t("institution.country")} hint={t("institution.countryFixed")}>
            {getCountryName(institution.country)}
          </LabelledFact>
        </SimpleGrid>
        <ZoneRule form={form} error={error} />
      </Stack>
    </Section>
  );
}

function ContactSection({ form, error }: Pick<CallForm<SettingsValues>, "form" | "error">) {
  const t = useTexts("institution");
  return (
    <Section title={t("institution.contact")}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t("institution.contactText")}
        </Text>
        <TextInput
          label={t("institution.address")}
          maxLength={200}
          {...form.register("address")}
          error={error("address")}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          {(["contactPerson", "contactWay", "longitude", "latitude"] as const).map((field) => (
            <TextInput
              key={field}
              label={t(`institution.${field}`)}
              inputMode={field.startsWith("l") ? "decimal" : "text"}
              {...((field === "longitude" || field === "latitude") && {
                description: t(`institution.${field}Text`),
                placeholder: t("institution.placeShape"),
                dir: "ltr",
              })}
              {...form.register(field)}
              error={error(field)}
            />
          ))}
        </SimpleGrid>
      </Stack>
    </Section>
  );
}

function LabelledFact({ label, hint, children }: { label: string; hint?: string; children: React.ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Text size="sm" component="div" mt={4}>
        {children}
      </Text>
      {hint && (
        <Text size="xs" c="dimmed" mt={2}>
          {hint}
        </Text>
      )}
    </div>
  );
}

const getCountryName = (code: string): string =>
  new Intl.DisplayNames(languageTags[currentLanguage()], { type: "region" }).of(code) ?? code;
