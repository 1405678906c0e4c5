import { ColorSwatch, Drawer, Group, Stack, Switch, Text, UnstyledButton } from "@mantine/core";
import { IconCheck, IconMoon } from "@tabler/icons-react";
import { changeLook, presets, useLook } from "../kernel/look.ts";
import type { Look } from "../kernel/look.ts";
import { useTexts } from "../kernel/texts.ts";
import classes from "./settings-drawer.module.css";

/** How this browser shows the product: eight colours, dark as the ninth choice, and what stands around the pages. */
export function SettingsDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useTexts("shell");
  const look = useLook();
  const flags: [keyof Look & ("tags" | "fixedHeader" | "logo"), string][] = [
    ["tags", t("shell.showTags")],
    ["fixedHeader", t("shell.fixHeader")],
    ["logo", t("shell.showLogo")],
  ];
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={340}
      title={t("shell.settings")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="xl">
        <Text size="sm" c="dimmed">
          {t("shell.settingsText")}
        </Text>
        <ThemeColours />
        <Stack gap="md">
          {flags.map(([flag, label]) => (
            <Switch
              key={flag}
              label={label}
              labelPosition="left"
              checked={look[flag]}
              onChange={(event) => changeLook({ [flag]: event.currentTarget.checked })}
              classNames={{ body: classes.row ?? "" }}
            />
          ))}
        </Stack>
      </Stack>
    </Drawer>
  );
}

function ThemeColours() {
  const t = useTexts("shell");
  const look = useLook();
  return (
    <Stack gap="sm" role="group" aria-label={t("shell.themeColour")}>
      <Text size="sm" fw={600}>
        {t("shell.themeColour")}
      </Text>
      <Group gap={10}>
        {presets.map((colour) => (
          <UnstyledButton
            key={colour}
            className={classes.swatch}
            aria-label={t("shell.colour", { colour })}
            aria-pressed={!look.dark && look.colour === colour}
            onClick={() => changeLook({ colour, dark: false })}
          >
            <ColorSwatch color={colour} size={34} component="span">
              {!look.dark && look.colour === colour && <IconCheck size={18} color="#fff" />}
            </ColorSwatch>
          </UnstyledButton>
        ))}
        <UnstyledButton
          className={classes.swatch}
          aria-label={t("shell.dark")}
          aria-pressed={look.dark}
          onClick={() => changeLook({ dark: !look.dark })}
        >
          <ColorSwatch color="#141c28" size={34} component="span">
            {look.dark ? <IconCheck size={18} color="#fff" /> : <IconMoon size={18} color="#fff" />}
          </ColorSwatch>
        </UnstyledButton>
      </Group>
    </Stack>
  );
}
