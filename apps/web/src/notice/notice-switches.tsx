import { Button, Group, Switch, Text, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import type { Output } from "@arcada/contract/kernel/call";
import {
  noticeCalls,
  noticeCategories,
  noticeChannels,
  noticePresets,
  presetChannels,
} from "@arcada/contract/notice/notice.calls";
import type { NoticeChannel, NoticeKind, NoticePreset } from "@arcada/contract/notice/notice.calls";
import { queryKeyOf, queryClient } from "../data/query-client.ts";
import { toast } from "../browser/toast.ts";
import { useSignedInUser } from "../session/current-user.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { Section } from "../ui/page.tsx";
import { useSettingsForm } from "../ui/sections/unsaved-changes.ts";
import { categoryNames } from "./notice-text.ts";
import type { CategoryName } from "./notice-text.ts";
import classes from "./notice.module.css";

type Config = Output<typeof noticeCalls.configs>[number];
/** The switches that differ from what is saved, by `getSwitchKey`. */
type Changes = ReadonlyMap<string, { kind: NoticeKind; channel: NoticeChannel; on: boolean }>;
const getSwitchKey = (kind: NoticeKind, channel: NoticeChannel) => `${kind} ${channel}`;

/** The kinds of notices that are sent on site and by e-mail. */
export function NoticeSwitches() {
  const t = useTexts("notice");
  const query = useCall(noticeCalls.configs, {});
  const { email } = useSignedInUser();
  const { changes, change } = useChanges();
  return (
    <Section
      title={t("notice.settings.title")}
      description={t(email ? "notice.settings.says" : "notice.settings.withoutAddress")}
    >
      <QueryResult of={query}>
        {(configs) => (
          <>
            <Presets configs={configs} />
            <table className={classes.switches}>
              <caption hidden>{t("notice.settings.title")}</caption>
              <thead>
                <tr>
                  <th scope="col">
                    <VisuallyHidden>{t("notice.settings.kindOf")}</VisuallyHidden>
                  </th>
                  {noticeChannels.map((channel) => (
                    <th key={channel} scope="col" className={classes.channel}>
                      <Text size="xs" c="dimmed" component="span">
                        {t(`notice.settings.${channel}`)}
                      </Text>
                    </th>
                  ))}
                </tr>
              </thead>
              {categoryNames.map((name) => (
                <SwitchGroup key={name} name={name} configs={configs} changes={changes} onChange={change} />
              ))}
            </table>
          </>
        )}
      </QueryResult>
    </Section>
  );
}

function useChanges() {
  const t = useTexts("notice");
  const [changes, setChanges] = useState<Changes>(new Map());
  const command = useCommand(noticeCalls.switchConfig);
  const save = async () => {
    for (const [key, one] of changes) {
      const saved = await command.run(one);
      if (!saved) return;
      queryClient.setQueryData<Config[]>(queryKeyOf(noticeCalls.configs, {}), (all) =>
        all?.map((config) => (config.kind === saved.data.kind ? saved.data : config)),
      );
      setChanges((now) => new Map([...now].filter(([other]) => other !== key)));
    }
    toast("success", t("common.saved"));
  };
  useSettingsForm({ isDirty: changes.size > 0, save, discard: () => setChanges(new Map()) });
  const change: ChangeSwitch = (config, channel, on) =>
    setChanges((now) => {
      const key = getSwitchKey(config.kind, channel);
      const others = [...now].filter(([other]) => other !== key);
      // A switch that was put back differs from nothing.
      return new Map(on === config[channel] ? others : [...others, [key, { kind: config.kind, channel, on }]]);
    });
  return { changes, change };
}

type ChangeSwitch = (config: Config, channel: NoticeChannel, on: boolean) => void;
interface SwitchProps {
  changes: Changes;
  onChange: ChangeSwitch;
}

/** Sets all switches at once; the chosen preset is the one that they all match. */
function Presets({ configs }: { configs: Config[] }) {
  const t = useTexts("notice");
  const command = useCommand(noticeCalls.applyPreset);
  const matches = (preset: NoticePreset) =>
    configs.every(({ kind, site, email }) => {
      const channels = presetChannels(preset, kind);
      return site === channels.site && email === channels.email;
    });
  const apply = async (preset: NoticePreset) => {
    const saved = await command.run({ preset });
    if (!saved) return;
    queryClient.setQueryData(queryKeyOf(noticeCalls.configs, {}), saved.data);
    toast("success", t("common.saved"));
  };
  return (
    <Group gap="xs" mb="md" role="group" aria-label={t("notice.preset.title")}>
      {noticePresets.map((preset) => (
        <Button
          key={preset}
          size="sm"
          variant={matches(preset) ? "light" : "default"}
          aria-pressed={matches(preset)}
          disabled={command.busy}
          onClick={() => void apply(preset)}
        >
          {t(`notice.preset.${preset}`)}
        </Button>
      ))}
    </Group>
  );
}

function SwitchGroup({ name, configs, ...rest }: SwitchProps & { name: CategoryName; configs: Config[] }) {
  const t = useTexts("notice");
  const own = configs.filter(({ category }) => category === noticeCategories[name]);
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={noticeChannels.length + 1} className={classes.group}>
          <Text size="sm" fw={600} component="span">
            {t(`notice.category.${name}`)}
          </Text>
        </th>
      </tr>
      {own.map((config) => (
        <SwitchRow key={config.kind} config={config} {...rest} />
      ))}
    </tbody>
  );
}

function SwitchRow({ config, changes, onChange }: SwitchProps & { config: Config }) {
  const t = useTexts("notice");
  const label = t(`notice.settings.kind.${config.kind}`);
  return (
    <tr>
      <th scope="row">
        <Text size="sm" component="span" display="block">
          {label}
        </Text>
        {config.fixed && (
          <Text size="xs" c="dimmed" component="span" display="block">
            {t("notice.settings.fixed")}
          </Text>
        )}
      </th>
      {noticeChannels.map((channel) => (
        <td key={channel} className={classes.channel}>
          {channel === "site" && config.fixed ? (
            <Text size="xs" c="dimmed" component="span">
              {t("notice.settings.always")}
            </Text>
          ) : (
            <Switch
              aria-label={`${label}: ${t(`notice.settings.${channel}`)}`}
              checked={changes.get(getSwitchKey(config.kind, channel))?.on ?? config[channel]}
              onChange={({ currentTarget }) => onChange(config, channel, currentTarget.checked)}
            />
          )}
        </td>
      ))}
    </tr>
  );
}
