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
import { categoryNames } from "./notice-text.ts";
import type { CategoryName } from "./notice-text.ts";
import classes from "./notice.module.css";

type Config = Output<typeof noticeCalls.configs>[number];
/** A switch that was pressed but not yet confirmed by the server; it is shown optimistically. */
interface PendingSwitch {
  kind: NoticeKind;
  channel: NoticeChannel;
  on: boolean;
}

/** The kinds of notices that are sent on site and by e-mail. Each switch saves at once. */
export function NoticeSwitches() {
  const t = useTexts("notice");
  const query = useCall(noticeCalls.configs, {});
  const { email } = useSignedInUser();
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
                <SwitchGroup key={name} name={name} configs={configs} />
              ))}
            </table>
          </>
        )}
      </QueryResult>
    </Section>
  );
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

function SwitchGroup({ name, configs }: { name: CategoryName; configs: Config[] }) {
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
        <SwitchRow key={config.kind} config={config} />
      ))}
    </tbody>
  );
}

function SwitchRow({ config }: { config: Config }) {
  const t = useTexts("notice");
  const command = useCommand(noticeCalls.switchConfig);
  const [pending, setPending] = useState<PendingSwitch | null>(null);
  const label = t(`notice.settings.kind.${config.kind}`);
  const toggle = async (next: PendingSwitch) => {
    if (pending) return;
    setPending(next);
    const saved = await command.run(next);
    if (saved)
      queryClient.setQueryData<Config[]>(queryKeyOf(noticeCalls.configs, {}), (all) =>
        all?.map((one) => (one.kind === saved.data.kind ? saved.data : one)),
      );
    setPending(null);
  };
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
            <NoticeSwitch
              label={`${label}: ${t(`notice.settings.${channel}`)}`}
              isOn={pending?.channel === channel ? pending.on : config[channel]}
              onPress={(on) => void toggle({ kind: config.kind, channel, on })}
            />
          )}
        </td>
      ))}
    </tr>
  );
}

interface NoticeSwitchProps {
  label: string;
  isOn: boolean;
  onPress: (on: boolean) => void;
}
const NoticeSwitch = ({ label, isOn, onPress }: NoticeSwitchProps) => (
  <Switch checked={isOn} onChange={({ currentTarget }) => onPress(currentTarget.checked)} aria-label={label} />
);
