import { Button, Menu, Text } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { noticeGroupCalls } from "@arcada/contract/notice/notice-group.calls";
import { noticePresets } from "@arcada/contract/notice/notice-presets";
import type { NoticePreset } from "@arcada/contract/notice/notice-presets";
import { toast } from "../browser/toast.ts";
import { queryClient } from "../data/query-client.ts";
import { useCommand } from "../data/use-command.ts";
import { useTexts } from "../i18n/texts.ts";

/** Chooses a preset of notices in place, for the first steps of an organisation. */
export function NoticePresetMenu() {
  const t = useTexts("notice");
  const command = useCommand(noticeGroupCalls.preset);
  const choose = async (preset: NoticePreset) => {
    if (!(await command.run({ preset }))) return;
    toast("success", t("common.saved"));
    // The list of first steps reads whether a preset was chosen.
    await queryClient.invalidateQueries({ queryKey: ["institution"] });
  };
  return (
    <Menu position="bottom-end" width={320} withinPortal>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          loading={command.busy}
          rightSection={<IconChevronDown size={15} stroke={1.6} aria-hidden />}
        >
          {t("notice.preset.title")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {noticePresets.map((preset) => (
          <Menu.Item key={preset} onClick={() => void choose(preset)}>
            {t(`notice.preset.${preset}`)}
            <Text size="xs" c="dimmed" component="span" display="block">
              {t(`notice.presetSays.${preset}`)}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
