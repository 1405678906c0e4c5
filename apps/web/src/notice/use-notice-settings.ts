import { useState } from "react";
import type { Output } from "@arcada/contract/kernel/call";
import { noticeCalls } from "@arcada/contract/notice/notice.calls";
import type { NoticeChannel, NoticeKind } from "@arcada/contract/notice/notice.calls";
import { noticeGroupCalls } from "@arcada/contract/notice/notice-group.calls";
import { presetChannels } from "@arcada/contract/notice/notice-presets";
import type { ChosenPreset, NoticeMailMode, NoticePreset } from "@arcada/contract/notice/notice-presets";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { queryClient, queryKeyOf } from "../data/query-client.ts";
import { useTexts } from "../i18n/texts.ts";
import { useSettingsForm } from "../ui/sections/unsaved-changes.ts";

type Preferences = Output<typeof noticeGroupCalls.preferences>;
export type NoticeConfig = Output<typeof noticeCalls.configs>[number];
/** The switches that differ from what is saved, by `getSwitchKey`. */
type Changes = ReadonlyMap<string, { kind: NoticeKind; channel: NoticeChannel; on: boolean }>;
const getSwitchKey = (kind: NoticeKind, channel: NoticeChannel) => `${kind} ${channel}`;
const noChanges: Changes = new Map();

export interface NoticeSettingsState {
  preset: ChosenPreset;
  mail: NoticeMailMode;
  choosePreset: (preset: NoticePreset) => void;
  chooseMail: (mail: NoticeMailMode) => void;
  isOn: (config: NoticeConfig, channel: NoticeChannel) => boolean;
  change: (config: NoticeConfig, channel: NoticeChannel, on: boolean) => void;
}

/** The preset, the way of emails and the switches as they are shown, until they are saved together. */
export function useNoticeSettings(saved: Preferences): NoticeSettingsState {
  const [preset, setPreset] = useState<NoticePreset | null>(null);
  const [mail, setMail] = useState<NoticeMailMode | null>(null);
  const [changes, setChanges] = useState(noChanges);
  const discard = () => {
    setPreset(null);
    setMail(null);
    setChanges(noChanges);
  };
  const save = useSave({ preset, mail, changes }, discard);
  useSettingsForm({ isDirty: preset !== null || mail !== null || changes.size > 0, save, discard });
  const before = (config: NoticeConfig, channel: NoticeChannel) =>
    preset === null ? config[channel] : presetChannels(preset, config.kind)[channel];
  return {
    preset: changes.size > 0 ? "custom" : (preset ?? saved.preset),
    mail: mail ?? saved.mail,
    choosePreset: (chosen) => {
      setPreset(chosen === saved.preset ? null : chosen);
      setChanges(noChanges);
    },
    chooseMail: (chosen) => setMail(chosen === saved.mail ? null : chosen),
    isOn: (config, channel) => changes.get(getSwitchKey(config.kind, channel))?.on ?? before(config, channel),
    change: (config, channel, on) =>
      setChanges((now) => {
        const key = getSwitchKey(config.kind, channel);
        const others = [...now].filter(([other]) => other !== key);
        // A switch that was put back differs from nothing.
        return new Map(
          on === before(config, channel) ? others : [...others, [key, { kind: config.kind, channel, on }]],
        );
      }),
  };
}

interface Draft {
  preset: NoticePreset | null;
  mail: NoticeMailMode | null;
  changes: Changes;
}
function useSave({ preset, mail, changes }: Draft, onSaved: () => void): () => Promise<void> {
  const t = useTexts("notice");
  const presetCall = useCommand(noticeGroupCalls.preset);
  const mailCall = useCommand(noticeGroupCalls.mail);
  const switchCall = useCommand(noticeCalls.switchConfig);
  return async () => {
    if (preset !== null && !(await presetCall.run({ preset }))) return;
    if (mail !== null && !(await mailCall.run({ mail }))) return;
    for (const one of changes.values()) if (!(await switchCall.run(one))) return;
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: queryKeyOf(noticeGroupCalls.preferences, {}) }),
      queryClient.invalidateQueries({ queryKey: queryKeyOf(noticeCalls.configs, {}) }),
    ]);
    onSaved();
    toast("success", t("common.saved"));
  };
}
