import { Switch, Text, VisuallyHidden } from "@mantine/core";
import { noticeCategories, noticeChannels } from "@arcada/contract/notice/notice.calls";
import { useTexts } from "../i18n/texts.ts";
import { categoryNames } from "./notice-text.ts";
import type { CategoryName } from "./notice-text.ts";
import type { NoticeConfig, NoticeSettingsState } from "./use-notice-settings.ts";
import classes from "./notice.module.css";

interface SwitchProps {
  settings: NoticeSettingsState;
}

/** The kinds of notices that are sent on site and by e-mail. */
export function NoticeSwitches({ configs, settings }: SwitchProps & { configs: NoticeConfig[] }) {
  const t = useTexts("notice");
  return (
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
        <SwitchGroup key={name} name={name} configs={configs} settings={settings} />
      ))}
    </table>
  );
}

function SwitchGroup({ name, configs, ...rest }: SwitchProps & { name: CategoryName; configs: NoticeConfig[] }) {
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

function SwitchRow({ config, settings }: SwitchProps & { config: NoticeConfig }) {
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
              checked={settings.isOn(config, channel)}
              onChange={({ currentTarget }) => settings.change(config, channel, currentTarget.checked)}
            />
          )}
        </td>
      ))}
    </tr>
  );
}
