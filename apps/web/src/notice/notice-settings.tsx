import { Button, Collapse, Radio, Stack } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import type { Output } from "@arcada/contract/kernel/call";
import { noticeCalls } from "@arcada/contract/notice/notice.calls";
import { noticeGroupCalls } from "@arcada/contract/notice/notice-group.calls";
import { noticeMailModes, noticePresets } from "@arcada/contract/notice/notice-presets";
import type { ChosenPreset, NoticeMailMode, NoticePreset } from "@arcada/contract/notice/notice-presets";
import { useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Section } from "../ui/page.tsx";
import { NoticeSwitches } from "./notice-switches.tsx";
import { useNoticeSettings } from "./use-notice-settings.ts";
import classes from "./notice.module.css";

type Preferences = Output<typeof noticeGroupCalls.preferences>;

/** The presets of notices and the choice when emails are sent; the single switches are behind "Advanced". */
export function NoticeSettings() {
  const query = useCall(noticeGroupCalls.preferences, {});
  return <QueryResult of={query}>{(preferences) => <LoadedSettings preferences={preferences} />}</QueryResult>;
}

function LoadedSettings({ preferences }: { preferences: Preferences }) {
  const t = useTexts("notice");
  const settings = useNoticeSettings(preferences);
  const { email } = useSignedInUser();
  const [isAdvanced, setAdvanced] = useState(false);
  const configs = useCall(noticeCalls.configs, {}, { enabled: isAdvanced });
  return (
    <Section title={t("notice.settings.title")}>
      <Stack gap="xl">
        <PresetChoice preset={settings.preset} onChange={settings.choosePreset} />
        <MailChoice mail={settings.mail} hasAddress={email !== null} onChange={settings.chooseMail} />
        <div>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            className={classes.advanced}
            aria-expanded={isAdvanced}
            rightSection={<IconChevronDown size={15} stroke={1.6} aria-hidden data-open={isAdvanced || undefined} />}
            onClick={() => setAdvanced((now) => !now)}
          >
            {t("notice.settings.advanced")}
          </Button>
          <Collapse expanded={isAdvanced}>
            {isAdvanced && (
              <QueryResult of={configs}>{(all) => <NoticeSwitches configs={all} settings={settings} />}</QueryResult>
            )}
          </Collapse>
        </div>
      </Stack>
    </Section>
  );
}

function PresetChoice({ preset, onChange }: { preset: ChosenPreset; onChange: (preset: NoticePreset) => void }) {
  const t = useTexts("notice");
  // "Custom" cannot be chosen: it is what single switches lead to.
  const choices: readonly ChosenPreset[] = preset === "custom" ? [...noticePresets, "custom"] : noticePresets;
  return (
    <Radio.Group
      label={t("notice.preset.title")}
      value={preset}
      onChange={(value) => value !== "custom" && onChange(value as NoticePreset)}
    >
      <Stack gap="sm" mt="xs">
        {choices.map((one) => (
          <Radio key={one} value={one} label={t(`notice.preset.${one}`)} description={t(`notice.presetSays.${one}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface MailChoiceProps {
  mail: NoticeMailMode;
  hasAddress: boolean;
  onChange: (mail: NoticeMailMode) => void;
}
function MailChoice({ mail, hasAddress, onChange }: MailChoiceProps) {
  const t = useTexts("notice");
  return (
    <Radio.Group
      label={t("notice.mail.title")}
      description={t(hasAddress ? "notice.mail.says" : "notice.settings.withoutAddress")}
      value={mail}
      onChange={(value) => onChange(value as NoticeMailMode)}
    >
      <Stack gap="sm" mt="xs">
        {noticeMailModes.map((one) => (
          <Radio key={one} value={one} label={t(`notice.mail.${one}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
