import {
  Alert,
  ColorSwatch,
  Drawer,
  Group,
  SegmentedControl,
  Stack,
  Switch,
  Text,
  UnstyledButton,
} from "@mantine/core";
import { IconCheck, IconMoon, IconSpeakerphone } from "@tabler/icons-react";
import { loginPageCalls } from "@arcada/contract/account/login-page.calls";
import { toothSchemes } from "@arcada/contract/kernel/tooth-schemes";
import { changeAppearance, colourPresets, interfaceSizes, useAppearance } from "../../browser/appearance.ts";
import type { Appearance } from "../../browser/appearance.ts";
import { useLanguage, useTexts } from "../../i18n/texts.ts";
import { useCallOnce } from "../../data/use-call-once.ts";
import classes from "./settings-drawer.module.css";

/**
 * The appearance settings of this browser: eight colours, dark as the ninth choice, and the parts of the layout around
 * the pages.
 */
export function SettingsDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useTexts("shell");
  const appearance = useAppearance();
  const isChinese = useLanguage() === "zh";
  const flags: [keyof Appearance & ("tags" | "fixedHeader" | "logo" | "today" | "pinyin"), string][] = [
    ["tags", t("shell.showTags")],
    ["fixedHeader", t("shell.fixHeader")],
    ["logo", t("shell.showLogo")],
    ["today", t("shell.startToday")],
    ...(isChinese ? [["pinyin", t("shell.pinyin")] satisfies ["pinyin", string]] : []),
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
              checked={appearance[flag]}
              onChange={(event) => changeAppearance({ [flag]: event.currentTarget.checked })}
              classNames={{ body: classes.row ?? "" }}
            />
          ))}
        </Stack>
        <LayoutSize />
        <ToothNotation />
        {isChinese && <Recruitment />}
        <Version />
      </Stack>
    </Drawer>
  );
}

function LayoutSize() {
  const t = useTexts("shell");
  const { size } = useAppearance();
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {t("shell.size")}
      </Text>
      <SegmentedControl
        fullWidth
        aria-label={t("shell.size")}
        value={size}
        onChange={(next) => changeAppearance({ size: next })}
        data={interfaceSizes.map((one) => ({ value: one, label: t(`shell.sizes.${one}`) }))}
      />
    </Stack>
  );
}

function ToothNotation() {
  const t = useTexts("shell");
  const { teeth } = useAppearance();
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {t("common.tooth.schemes")}
      </Text>
      <SegmentedControl
        fullWidth
        aria-label={t("common.tooth.schemes")}
        value={teeth}
        onChange={(next) => changeAppearance({ teeth: next })}
        data={toothSchemes.map((one) => ({ value: one, label: t(`common.tooth.scheme.${one}`) }))}
      />
      <Text size="xs" c="dimmed">
        {t(`shell.toothExample.${teeth}`)}
      </Text>
    </Stack>
  );
}

/** The operator's job advertisement, in Chinese only. */
function Recruitment() {
  const recruitment = useCallOnce(loginPageCalls.welcome)?.recruitment;
  if (!recruitment) return null;
  const banner = (
    <Alert color="brand" variant="light" icon={<IconSpeakerphone size={18} />}>
      {recruitment.text}
    </Alert>
  );
  if (!recruitment.url) return banner;
  return (
    <a href={recruitment.url} target="_blank" rel="noopener noreferrer" className={classes.banner}>
      {banner}
    </a>
  );
}

function Version() {
  const t = useTexts("shell");
  const version = useCallOnce(loginPageCalls.welcome)?.version;
  if (!version) return null;
  return (
    <Text size="xs" c="dimmed">
      {t("shell.version", { version })}
    </Text>
  );
}

function ThemeColours() {
  const t = useTexts("shell");
  const appearance = useAppearance();
  return (
    <Stack gap="sm" role="group" aria-label={t("shell.themeColour")}>
      <Text size="sm" fw={600}>
        {t("shell.themeColour")}
      </Text>
      <Group gap={10}>
        {colourPresets.map((colour) => (
          <UnstyledButton
            key={colour}
            className={classes.swatch}
            aria-label={t("shell.colour", { colour })}
            aria-pressed={!appearance.dark && appearance.colour === colour}
            onClick={() => changeAppearance({ colour, dark: false })}
          >
            <ColorSwatch color={colour} size={34} component="span">
              {!appearance.dark && appearance.colour === colour && <IconCheck size={18} color="#fff" />}
            </ColorSwatch>
          </UnstyledButton>
        ))}
        <UnstyledButton
          className={classes.swatch}
          aria-label={t("shell.dark")}
          aria-pressed={appearance.dark}
          onClick={() => changeAppearance({ dark: !appearance.dark })}
        >
          <ColorSwatch color="#141c28" size={34} component="span">
            {appearance.dark ? <IconCheck size={18} color="#fff" /> : <IconMoon size={18} color="#fff" />}
          </ColorSwatch>
        </UnstyledButton>
      </Group>
    </Stack>
  );
}
