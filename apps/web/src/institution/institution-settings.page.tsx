import { Button, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { Controller } from "react-hook-form";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import { languageTags } from "@arcada/contract/kernel/languages";
import { screens, type ScreenName } from "@arcada/contract/screens";
import { currentLanguage, useTexts } from "../i18n/texts.ts";
import type { Translate } from "../i18n/texts.ts";
import { refetchCurrentUser } from "../session/current-user.ts";
import { toast } from "../browser/toast.ts";
import { useCall } from "../data/use-call.ts";
import { useCallForm } from "../data/use-call-form.ts";
import type { CallForm } from "../data/use-call-form.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { CopyText } from "../ui/copy-text.tsx";
import { PageBody, Section } from "../ui/page.tsx";
import { ShowFirstStepsAgain } from "./first-steps.tsx";
import { ImplantLibraries } from "./implant-libraries.tsx";
import { LaunchSettings } from "./launch-settings.tsx";
import { ReportLogos } from "./report-logos.tsx";
import { ReceiptRule, RetentionRule, RuleSwitch } from "./organisation-rules.tsx";
import type { RuleProps } from "./organisation-rules.tsx";
import type { Institution, SettingsValues } from "./settings-form-values.ts";
import { toValues, toInput } from "./settings-form-values.ts";
import { listZoneOptions } from "../i18n/time-zone.ts";
import { TimeZoneSelect } from "../ui/form/time-zone-select.tsx";
import { ScreenLink } from "../browser/navigation.tsx";
import { PermissionGate } from "../session/permission-gate.tsx";
import { SettingsPage } from "../ui/sections/settings-page.tsx";
import type { PageSection } from "../ui/sections/sectioned-page.tsx";

/** The institution's public profile and rules, which its managers can change. */
export function Page() {
  const t = useTexts("institution");
  const query = useCall(institutionCalls.detail, {});
  if (query.data) return <InstitutionSettings key={query.data.id} institution={query.data} />;
  return (
    <PageBody title={t("institution.title")} description={t("institution.says")}>
      <QueryResult of={query}>{() => null}</QueryResult>
    </PageBody>
  );
}

function InstitutionSettings({ institution }: { institution: Institution }) {
  const t = useTexts("institution", "implant");
  const { form, submit, problem, error } = useCallForm<typeof institutionCalls.update, SettingsValues>(
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
    <SettingsPage
      title={t("institution.title")}
      description={t("institution.says")}
      sections={buildSections(t, institution, { form, error })}
      form={{ isDirty: form.formState.isDirty, save: submit, discard: () => form.reset() }}
      problem={problem}
    />
  );
}

const buildSections = (t: Translate, institution: Institution, rules: RuleProps): PageSection[] => [
  {
    id: "basics",
    title: t("institution.basics"),
    content: <BasicFacts institution={institution} {...rules} />,
  },
  { id: "contact", title: t("institution.contact"), content: <ContactSection {...rules} /> },
  {
    id: "privacy",
    title: t("institution.privacy"),
    content: (
      <Section title={t("institution.privacy")}>
        <Stack gap="lg">
          <RuleSwitch rule="hidePatientNames" {...rules} />
          <RuleSwitch rule="sharePhones" {...rules} />
          {institution.type === "clinic" && <RetentionRule country={institution.country} {...rules} />}
        </Stack>
      </Section>
    ),
  },
  {
    id: "cooperation",
    title: t("institution.cooperation"),
    content: (
      <Section title={t("institution.cooperation")}>
        <Stack gap="lg">
          <RuleSwitch rule="autoAcceptRelations" {...rules} />
          <ReceiptRule {...rules} />
        </Stack>
      </Section>
    ),
  },
  {
    id: "security",
    title: t("institution.security"),
    content: (
      <Section title={t("institution.security")}>
        <RuleSwitch rule="requireFactor" {...rules} />
      </Section>
    ),
  },
  {
    id: "logos",
    title: t("institution.logos.title"),
    content: <ReportLogos logos={institution.reportLogo} />,
  },
  ...(institution.type === "clinic"
    ? [
        {
          id: "launch",
          title: t("institution.launch.title"),
          content: <LaunchSettings {...rules} />,
        },
        { id: "implants", title: t("implant.library.title"), content: <ImplantLibraries /> },
      ]
    : []),
  {
    id: "more",
    title: t("institution.more"),
    content: (
      <>
        <ManagerLinks />
        <ShowFirstStepsAgain />
      </>
    ),
  },
];

const managerScreens = [
  "myCapacity",
  "engines",
  "labPrograms",
  "openInterface",
  "trail",
  "leaving",
] as const satisfies readonly ScreenName[];

/** Links to further areas for managers only: capacity, analysis engines, API access, audit log and data export. */
function ManagerLinks() {
  const t = useTexts("institution");
  return (
    <Section title={t("institution.more")}>
      <Stack gap="lg">
        {managerScreens.map((screen) => (
          <PermissionGate key={screen} to={screens[screen]}>
            <ManagerLink screen={screen} />
          </PermissionGate>
        ))}
      </Stack>
    </Section>
  );
}

function ManagerLink({ screen }: { screen: (typeof managerScreens)[number] }) {
  const t = useTexts("institution");
  return (
    <Group justify="space-between" gap="md">
      <Stack gap={2} flex="1 1 240px">
        <Text size="sm" fw={600}>
          {t(`institution.${screen}`)}
        </Text>
        <Text size="sm" c="dimmed">
          {t(`institution.${screen}Text`)}
        </Text>
      </Stack>
      <Button component={ScreenLink} screen={screen} variant="default">
        {t(`institution.${screen}Open`)}
      </Button>
    </Group>
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

/** The time zone in which the institution's days begin. */
function ZoneRule({ form, error }: Pick<CallForm<SettingsValues>, "form" | "error">) {
  const t = useTexts("institution");
  return (
    <Controller
      control={form.control}
      name="timeZone"
      render={({ field: { value, onChange, onBlur } }) => (
        <TimeZoneSelect
          label={t("institution.timeZone")}
          description={t("institution.timeZoneText")}
          zones={listZoneOptions(value)}
          value={value}
          onChange={onChange}
          onBlur={onBlur}
          error={error("timeZone")}
        />
      )}
    />
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
