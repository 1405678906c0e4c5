import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useState } from "react";
import { invokeImageDisplayPath, launchPath } from "@arcada/contract/patient/launch-path";
import { launchRules } from "@arcada/contract/patient/launch-address";
import { useTexts } from "../i18n/texts.ts";
import { CopyText } from "../ui/copy-text.tsx";
import { Section } from "../ui/page.tsx";
import { RuleSwitch } from "./organisation-rules.tsx";
import type { RuleProps } from "./organisation-rules.tsx";

/** The addresses with which the clinic's other programs open a patient here, and whether they may create one. */
export function LaunchSettings(rules: RuleProps) {
  const t = useTexts("institution");
  const byNumber = `${location.origin}${launchPath}?practiceNumber=NUMBER`;
  const byIhe = `${location.origin}${invokeImageDisplayPath}?requestType=PATIENT&patientID=NUMBER`;
  return (
    <Section title={t("institution.launch.title")} description={t("institution.launch.text")}>
      <Stack gap="lg">
        <LaunchAddress
          label={t("institution.launch.address")}
          hint={t("institution.launch.addressHint")}
          address={byNumber}
        />
        <LaunchAddress label={t("institution.launch.iid")} address={byIhe} />
        <TryLaunch />
        <RuleSwitch rule="launchCreatesPatients" {...rules} />
      </Stack>
    </Section>
  );
}

function LaunchAddress({ label, hint, address }: { label: string; hint?: string; address: string }) {
  const t = useTexts("institution");
  return (
    <Stack gap={2} miw={0}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <div dir="ltr">
        <CopyText wraps text={address} label={`${t("institution.launch.copy")}: ${label}`} />
      </div>
      {hint && (
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      )}
    </Stack>
  );
}

/** Opens the launch address of one patient in another tab, as the practice program's button does. */
function TryLaunch() {
  const t = useTexts("institution");
  const [number, setNumber] = useState("");
  const trimmed = number.trim();
  return (
    <Group align="flex-end" gap="sm">
      <TextInput
        label={t("institution.launch.number")}
        maxLength={launchRules.maxNumber}
        autoComplete="off"
        value={number}
        onChange={(event) => setNumber(event.currentTarget.value)}
      />
      <Button
        component="a"
        href={`${launchPath}?practiceNumber=${encodeURIComponent(trimmed)}`}
        target="_blank"
        rel="noreferrer"
        variant="default"
        data-disabled={trimmed === "" || undefined}
        aria-disabled={trimmed === ""}
        onClick={(event) => trimmed === "" && event.preventDefault()}
        rightSection={<IconExternalLink size={16} aria-hidden />}
      >
        {t("institution.launch.open")}
      </Button>
    </Group>
  );
}
